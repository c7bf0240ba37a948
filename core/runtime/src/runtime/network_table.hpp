#pragma once

#include "loading/planned_network.hpp"

#include <backplane/host/forks.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

namespace backplane {

/// A network in the table, and how many use it.
struct LoadedEntry {
  explicit LoadedEntry(std::shared_ptr<PlannedNetwork> loaded) : network(std::move(loaded)) {}

  const std::shared_ptr<PlannedNetwork> network;
  /// By this process; one is the table's, given up by Remove. Above 32 bits stands which process
  /// that is, by its number of forks: what threads of its parent use is not waited for.
  std::atomic<std::uint64_t> num_uses{std::uint64_t{CountForks()} << 32U | 1U};
  std::mutex mutex;  // of what follows
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
    Use(Use&& other) noexcept
        : entry_(std::exchange(other.entry_, nullptr)), num_forks_(other.num_forks_) {}
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    /// False when there is no such network.
    explicit operator bool() const { return entry_ != nullptr; }
    PlannedNetwork& operator*() const { return *entry_->network; }
    PlannedNetwork* operator->() const { return entry_->network.get(); }

   private:
    LoadedEntry* entry_;  // stays: Remove waits for this use
    std::uint32_t num_forks_ = CountForks();
  };

  /// False when it is closed.
  bool Add(std::shared_ptr<PlannedNetwork> network);

  Use Find(NetworkId id) const;

  /// Takes an entry out, and waits until nobody uses it, at most until `deadline`.
  RemovedEntry Remove(NetworkId id, RunLimit::Time deadline);

  /// Puts back what Remove gave, also when the table is closed.
  void PutBack(std::shared_ptr<LoadedEntry> entry);

  /// Nothing is added any more.
  void Close();
  bool IsClosed() const;

  /// In rising order.
  std::vector<NetworkId> GetIds() const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<NetworkId, std::shared_ptr<LoadedEntry>> entries_;
  bool is_closed_ = false;
};

}  // namespace backplane
