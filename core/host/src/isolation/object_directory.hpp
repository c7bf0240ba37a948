#pragma once

#include "wire/channel.hpp"

#include <backplane/api/i_backend_profiling_context.hpp>
#include <backplane/api/i_tensor_handle.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace backplane::isolation {

class IsolatedState;

/// Objects in this process that stand for those of one worker.
///
/// Threads: any.
class ObjectDirectory {
 public:
  /// Numbers for objects; the first of `count`.
  std::uint64_t MakeIds(std::uint64_t count = 1) { return next_id_.fetch_add(count); }

  void AddState(IsolatedState* state);
  void RemoveState(IsolatedState* state);
  /// The layers that run now, as words.
  std::vector<std::string> NameRunning() const;
  /// Has those who wait for work look again.
  void WakeWaiting() const;

  void AddProfiling(std::uint64_t id, IBackendProfiling* profiling);
  void RemoveProfiling(std::uint64_t id);
  /// Passes an event or samples on.
  void Report(const wire::Message& notice) const;

  /// Which tensor handles are of this worker, whatever ids the factories of others have.
  void AddHandle(const ITensorHandle* handle);
  void RemoveHandle(const ITensorHandle* handle);
  bool IsOwnHandle(const ITensorHandle* handle) const;
  /// This number changes when a handle goes.
  std::uint64_t GetHandleEpoch() const { return handle_epoch_.load(std::memory_order_acquire); }
  void AddFactoryId(const std::string& id);
  bool IsOwnFactory(const std::string& id) const;

  /// An object whose counterpart has gone here, and is to go there.
  void AddGone(std::uint64_t id);
  std::vector<std::uint64_t> TakeGone();

 private:
  std::atomic<std::uint64_t> next_id_{1};
  std::atomic<std::uint64_t> handle_epoch_{1};
  mutable std::mutex mutex_;
  std::set<IsolatedState*> states_;
  std::map<std::uint64_t, IBackendProfiling*> profilings_;
  std::unordered_set<const ITensorHandle*> handles_;
  std::set<std::string> factory_ids_;
  std::vector<std::uint64_t> gone_;
};

}  // namespace backplane::isolation
