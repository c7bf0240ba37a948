#pragma once

/// Waits for events with a timeout, which OpenCL's own waits do not know: a thread waits for the
/// event, and whoever asks waits for the thread.

#include "execution/job_thread.hpp"
#include "library/library.hpp"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

namespace backplane {
namespace opencl {

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

}  // namespace opencl
}  // namespace backplane
