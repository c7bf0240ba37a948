#pragma once

/// Events of OpenCL as descriptors for which other backends wait. OpenCL 1.2 signals none, and its
/// callbacks run code of this library in threads of the driver, which may still be there when the
/// library is unloaded; so a thread of this library waits for the events.

#include "execution/descriptor.hpp"
#include "execution/job_thread.hpp"
#include "library/library.hpp"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

namespace backplane {
namespace opencl {

/// The descriptors of one execution state, by workload.
///
/// Threads: one at a time.
class EventSignals {
 public:
  explicit EventSignals(const Library& library) : library_(library), thread_(library) {}

  /// The eventfd of a workload, which becomes readable when the event has ended, however it ended.
  /// Stays open; not readable any more when the workload gives another. Events end in the order in
  /// which they are given; the queue of each is flushed by whoever gives it.
  /// Errors: std::system_error.
  int Give(std::uint32_t workload, Owned<cl_event> event);

  /// The eventfd of a workload; negative when it has given none.
  int Find(std::uint32_t workload) const;

 private:
  struct Fence {
    Descriptor event_fd;
    bool is_waited_for = false;
  };

  void Await(cl_event event, Fence& fence);

  const Library& library_;
  std::map<std::uint32_t, Fence> fences_;
  std::mutex mutex_;  // of what is waited for
  std::condition_variable changed_;
  JobThread thread_;
};

}  // namespace opencl
}  // namespace backplane
