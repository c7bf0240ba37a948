#include "runtime/network_table.hpp"

#include <utility>

namespace backplane {

namespace {

void GiveUp(LoadedEntry& entry) {
  if (entry.num_uses.fetch_sub(1) != 1) return;
  const std::lock_guard<std::mutex> lock(entry.mutex);
  entry.is_idle = true;
  entry.became_idle.notify_all();
}

}  // namespace

NetworkTable::Use::Use(LoadedEntry* entry) : entry_(entry) {
  if (entry_ != nullptr) entry_->num_uses.fetch_add(1);
}

NetworkTable::Use::~Use() {
  if (entry_ != nullptr) GiveUp(*entry_);
}

void NetworkTable::Add(std::shared_ptr<LoadedEntry> entry) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  const NetworkId id = entry->id;
  entries_.emplace(id, std::move(entry));
}

NetworkTable::Use NetworkTable::Find(NetworkId id) const {
  // The use is counted under the lock, so that Remove either sees it or comes first.
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto found = entries_.find(id);
  return Use(found != entries_.end() ? found->second.get() : nullptr);
}

std::shared_ptr<LoadedEntry> NetworkTable::Remove(NetworkId id) {
  std::shared_ptr<LoadedEntry> entry;
  {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return nullptr;
    entry = std::move(found->second);
    entries_.erase(found);
  }
  GiveUp(*entry);
  std::unique_lock<std::mutex> lock(entry->mutex);
  entry->became_idle.wait(lock, [&] { return entry->is_idle; });
  return entry;
}

std::vector<NetworkId> NetworkTable::GetIds() const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  std::vector<NetworkId> ids;
  for (const auto& entry : entries_) ids.push_back(entry.first);
  return ids;
}

}  // namespace backplane
