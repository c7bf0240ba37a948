#pragma once

/// Events as fences: what tells others that enqueued work has finished.

#include "execution/job_thread.hpp"
#include "library/library.hpp"
#include "profiling/device_lane.hpp"

#include <backplane/api/fence.hpp>
#include <backplane/api/status.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace backplane {
namespace opencl {

/// Waits for events with a timeout, which OpenCL's own waits do not know: a thread waits for the
/// event, and whoever asks waits for the thread.
///
/// Threads: any.
class EventWatch {
 public:
  explicit EventWatch(const Library& library) : library_(library), thread_(library) {}

  /// Waits until the event has ended, however it ended, or the time is up; false then.
  /// Errors: std::system_error.
  bool Await(const Owned<cl_event>& event, std::chrono::nanoseconds timeout);

 private:
  void Watch(cl_event event);

  const Library& library_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<cl_event, Owned<cl_event>> watched_;  // have not ended
  JobThread thread_;
};

/// The event behind the last work of one workload in one execution state.
struct EventFence {
  Owned<cl_event> event;
  cl_command_queue queue = nullptr;  // in which it stands
};

/// The fences of one execution state, by workload.
///
/// Threads: any.
class StateFences {
 public:
  StateFences(const Library& library, std::string lane)
      : library_(library), lane_(library, std::move(lane)), watch_(library) {}
  void Give(std::uint32_t workload, Owned<cl_event> event, cl_command_queue queue);
  /// Null: that workload has given none.
  Owned<cl_event> Find(std::uint32_t workload) const;

  /// Errors: kTimeout; kInvalidArgument for a workload that has given none. OpenClError when the
  /// work has failed.
  Status Wait(std::uint32_t workload, std::uint64_t timeout_ns);

  DeviceLane& GetLane() { return lane_; }

 private:
  /// Nothing: that workload has given none.
  std::optional<EventFence> FindFence(std::uint32_t workload) const;
  bool HasPassed(cl_event event) const;

  const Library& library_;
  DeviceLane lane_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, EventFence> fences_;
  EventWatch watch_;
};

/// The fences of one workload factory, by their tokens.
///
/// Threads: any.
class FactoryFences {
 public:
  /// Returns the number of the state.
  std::uint32_t Add(std::shared_ptr<StateFences> state);
  void Remove(std::uint32_t state);

  /// An opaque one.
  static FenceView MakeFence(std::uint32_t state, std::uint32_t workload);
  static std::uint32_t GetStateNumber(const FenceView& fence);
  static std::uint32_t GetWorkload(const FenceView& fence);

  /// Null: the fence is not of this factory.
  std::shared_ptr<StateFences> Find(const FenceView& fence) const;

 private:
  mutable std::mutex mutex_;
  std::uint32_t last_ = 0;
  std::map<std::uint32_t, std::shared_ptr<StateFences>> states_;
};

}  // namespace opencl
}  // namespace backplane
