#include "runtime/network_table.hpp"

#include <utility>

namespace backplane {

namespace {

constexpr unsigned kForksAt = 32;

/// Adds to the uses of an entry and gives how many there are then. The threads of the parent are
/// not in a forked process, so of their uses only the table's is left.
std::uint32_t AddUses(LoadedEntry& entry, std::int32_t count) {
  const std::uint64_t forks = CountForks();
  std::uint64_t before = entry.num_uses.load();
  std::uint64_t after = 0;
  do {
    const std::uint64_t now = before >> kForksAt == forks ? before : forks << kForksAt | 1U;
    after = now + static_cast<std::uint64_t>(std::int64_t{count});
  } while (!entry.num_uses.compare_exchange_weak(before, after));
  return static_cast<std::uint32_t>(after);
}

void GiveUp(LoadedEntry& entry) {
  if (AddUses(entry, -1) != 0) return;
  const std::lock_guard<std::mutex> lock(entry.mutex);
  entry.is_idle = true;
  entry.became_idle.notify_all();
}

bool BecomesIdle(LoadedEntry& entry, RunLimit::Time deadline) {
  std::unique_lock<std::mutex> lock(entry.mutex);
  const auto is_idle = [&entry] { return entry.is_idle; };
  if (deadline != RunLimit::Time::max()) {
    return entry.became_idle.wait_until(lock, deadline, is_idle);
  }
  entry.became_idle.wait(lock, is_idle);
  return true;
}

/// For the table, which gave its use up.
void TakeAgain(LoadedEntry& entry) {
  std::uint64_t num_uses = entry.num_uses.load();
  while (static_cast<std::uint32_t>(num_uses) != 0) {
    if (entry.num_uses.compare_exchange_weak(num_uses, num_uses + 1)) return;
  }
  // The last user says so before it is gone.
  BecomesIdle(entry, RunLimit::Time::max());
  entry.is_idle = false;
  AddUses(entry, 1);
}

}  // namespace

NetworkTable::Use::Use(LoadedEntry* entry) : entry_(entry) {
  if (entry_ != nullptr) AddUses(*entry_, 1);
}

NetworkTable::Use::~Use() {
  // One that was begun before a fork is not counted behind it.
  if (entry_ != nullptr && num_forks_ == CountForks()) GiveUp(*entry_);
}

bool NetworkTable::Add(std::shared_ptr<PlannedNetwork> network) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  if (is_closed_) return false;
  const NetworkId id = network->GetId();
  entries_.emplace(id, std::make_shared<LoadedEntry>(std::move(network)));
  return true;
}

void NetworkTable::Close() {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  is_closed_ = true;
}

bool NetworkTable::IsClosed() const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  return is_closed_;
}

NetworkTable::Use NetworkTable::Find(NetworkId id) const {
  // The use is counted under the lock, so that Remove either sees it or comes first.
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto found = entries_.find(id);
  return Use(found != entries_.end() ? found->second.get() : nullptr);
}

RemovedEntry NetworkTable::Remove(NetworkId id, RunLimit::Time deadline) {
  std::shared_ptr<LoadedEntry> entry;
  {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return {};
    entry = std::move(found->second);
    entries_.erase(found);
  }
  GiveUp(*entry);
  const bool is_idle = BecomesIdle(*entry, deadline);
  return {std::move(entry), is_idle};
}

void NetworkTable::PutBack(std::shared_ptr<LoadedEntry> entry) {
  TakeAgain(*entry);
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  const NetworkId id = entry->network->GetId();
  entries_.emplace(id, std::move(entry));
}

std::vector<NetworkId> NetworkTable::GetIds() const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  std::vector<NetworkId> ids;
  for (const auto& entry : entries_) ids.push_back(entry.first);
  return ids;
}

}  // namespace backplane
