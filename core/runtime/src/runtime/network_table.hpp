#pragma once

#include "loading/loaded_network.hpp"
#include "loading/network_events.hpp"

#include <backplane/api/i_backend_context.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace backplane {

class NetworkFallback;

/// A network in the table.
struct LoadedEntry {
  NetworkId id = 0;
  NetworkId id_for_contexts = 0;  // of each placement another one, so that their pairs match
  UsedContexts contexts;
  std::unique_ptr<LoadedNetwork> network;     // null: it was unloaded
  std::shared_ptr<NetworkFallback> fallback;  // null with FailurePolicy::kFail
  std::shared_ptr<LoadedEntry> replaced;      // the placement before this one; null: there is none
  std::atomic<bool> is_replaced{false};       // by another one: its last user unloads it

  std::atomic<std::uint32_t> num_uses{1};  // one is the table's, given up by Remove and Replace
  std::mutex mutex;                        // of the rest, and of the network of one replaced
  std::condition_variable became_idle;
  bool is_idle = false;  // nobody uses it any more
};

/// A network that was taken out of the table.
struct RemovedEntry {
  std::shared_ptr<LoadedEntry> entry;  // null: there is none
  bool is_idle = false;                // nobody uses it
};

/// The networks that are loaded, by id. Removing one waits until nobody uses it.
///
/// Threads: any.
class NetworkTable {
 public:
  /// Keeps an entry from being removed.
  class Use {
   public:
    /// Null: when there is no such network.
    explicit Use(LoadedEntry* entry);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    /// False when there is no such network.
    explicit operator bool() const { return entry_ != nullptr; }
    LoadedNetwork& operator*() const { return *entry_->network; }
    LoadedEntry& GetEntry() const { return *entry_; }

   private:
    LoadedEntry* entry_;  // stays: Remove waits for this use
  };

  /// Another one at each call.
  NetworkId MakeId() { return ++last_id_; }

  /// False when it is closed.
  bool Add(std::shared_ptr<LoadedEntry> entry);

  /// Puts an entry in the place of that of the same id, which goes when nobody uses it any more.
  /// False when `old` is not in the table, or that is closed.
  bool Replace(const LoadedEntry& old, std::shared_ptr<LoadedEntry> entry);

  Use Find(NetworkId id) const;

  /// Takes an entry out, and waits until nobody uses it, nor the one that it has replaced, at most
  /// until `deadline`.
  RemovedEntry Remove(NetworkId id, RunLimit::Time deadline);

  /// Puts back what Remove gave, also when the table is closed.
  void PutBack(std::shared_ptr<LoadedEntry> entry);

  /// Nothing is added any more.
  void Close();

  /// In rising order.
  std::vector<NetworkId> GetIds() const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<NetworkId, std::shared_ptr<LoadedEntry>> entries_;
  bool is_closed_ = false;
  std::atomic<NetworkId> last_id_{0};
};

/// Unloads the network of an entry, where it is loaded still, and tells its contexts. Nobody uses
/// it.
void UnloadEntry(LoadedEntry& entry) noexcept;

/// Calls `action` with the networks of an entry: its own, and the one that it has replaced where
/// that is still loaded. The entry is in use, or out of the table.
template <typename Action>
void ForEachNetwork(LoadedEntry& entry, const Action& action) {
  action(*entry.network);
  if (!entry.replaced) return;
  const std::lock_guard<std::mutex> lock(entry.replaced->mutex);
  if (entry.replaced->network) action(*entry.replaced->network);
}

}  // namespace backplane
