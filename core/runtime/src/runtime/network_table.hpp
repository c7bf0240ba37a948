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

/// A network in the table.
struct LoadedEntry {
  NetworkId id = 0;
  UsedContexts contexts;
  std::unique_ptr<LoadedNetwork> network;

  std::atomic<std::uint32_t> num_uses{1};  // one is the table's, given up by Remove
  std::mutex mutex;
  std::condition_variable became_idle;
  bool is_idle = false;  // guarded by the mutex; nobody uses it any more
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

   private:
    LoadedEntry* entry_;  // stays: Remove waits for this use
  };

  /// False when it is closed.
  bool Add(std::shared_ptr<LoadedEntry> entry);

  Use Find(NetworkId id) const;

  /// Takes an entry out, and waits until nobody uses it, at most until `deadline`.
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
};

}  // namespace backplane
