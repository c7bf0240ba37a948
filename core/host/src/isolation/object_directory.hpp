#pragma once

#include <backplane/api/i_backend_profiling_context.hpp>
#include <backplane/api/i_tensor_handle.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backplane::isolation {

class IsolatedState;

/// Items of which any thread may ask.
template <typename Item>
class SharedSet {
 public:
  void Add(const Item& item) {
    const std::lock_guard<std::mutex> lock(mutex_);
    items_.insert(item);
  }
  void Remove(const Item& item) {
    const std::lock_guard<std::mutex> lock(mutex_);
    items_.erase(item);
  }
  bool Has(const Item& item) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return items_.count(item) != 0;
  }
  /// Meanwhile none is removed.
  template <typename Use>
  void ForEach(const Use& use) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Item& item : items_) use(item);
  }

 private:
  mutable std::mutex mutex_;
  std::set<Item> items_;
};

/// Objects in this process that stand for those of one worker.
///
/// Threads: any.
class ObjectDirectory {
 public:
  /// Numbers for objects; the first of `count`.
  std::uint64_t MakeIds(std::uint64_t count = 1) { return next_id_.fetch_add(count); }

  void RemoveHandle(const ITensorHandle* handle) {
    handles.Remove(handle);
    handle_epoch_.fetch_add(1, std::memory_order_release);
  }
  /// This number changes when a handle goes.
  std::uint64_t GetHandleEpoch() const { return handle_epoch_.load(std::memory_order_acquire); }

  /// An object whose counterpart has gone here, and is to go there.
  void AddGone(std::uint64_t id) {
    const std::lock_guard<std::mutex> lock(gone_mutex_);
    gone_.push_back(id);
  }
  std::vector<std::uint64_t> TakeGone() {
    const std::lock_guard<std::mutex> lock(gone_mutex_);
    return std::exchange(gone_, {});
  }

  SharedSet<IsolatedState*> states;
  SharedSet<std::pair<std::uint64_t, IBackendProfiling*>> profilings;  // with their numbers
  // Which tensor handles are of this worker, whatever ids the factories of others have.
  SharedSet<const ITensorHandle*> handles;
  SharedSet<std::string> factory_ids;

 private:
  std::atomic<std::uint64_t> next_id_{1};
  std::atomic<std::uint64_t> handle_epoch_{1};
  std::mutex gone_mutex_;
  std::vector<std::uint64_t> gone_;
};

}  // namespace backplane::isolation
