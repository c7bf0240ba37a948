#include "runtime/network_table.hpp"

#include <utility>

namespace backplane {

NetworkTable::Use::Use(std::shared_ptr<LoadedEntry> entry) : entry_(std::move(entry)) {
  if (!entry_) return;
  const std::lock_guard<std::mutex> lock(entry_->mutex);
  ++entry_->num_users;
}

NetworkTable::Use::~Use() {
  if (!entry_) return;
  const std::lock_guard<std::mutex> lock(entry_->mutex);
  if (--entry_->num_users == 0) entry_->is_idle.notify_all();
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
  return Use(found != entries_.end() ? found->second : nullptr);
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
  std::unique_lock<std::mutex> lock(entry->mutex);
  entry->is_idle.wait(lock, [&] { return entry->num_users == 0; });
  return entry;
}

std::vector<NetworkId> NetworkTable::GetIds() const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  std::vector<NetworkId> ids;
  for (const auto& entry : entries_) ids.push_back(entry.first);
  return ids;
}

}  // namespace backplane
