#include "execution/event_signals.hpp"

#include <utility>

namespace backplane {
namespace opencl {

int EventSignals::Give(std::uint32_t workload, Owned<cl_event> event) {
  Fence& fence = fences_[workload];
  if (fence.event_fd.Get() < 0) fence.event_fd = MakeEventFd();
  {
    // Its last work has ended, but perhaps was waited for in another way, and before the thread
    // saw.
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&fence] { return !fence.is_waited_for; });
    Clear(fence.event_fd);
    fence.is_waited_for = true;
  }
  try {
    thread_.Add([this, event = std::move(event), &fence] { Await(event.get(), fence); });
  } catch (...) {
    fence.is_waited_for = false;
    throw;
  }
  return fence.event_fd.Get();
}

int EventSignals::Find(std::uint32_t workload) const {
  const auto found = fences_.find(workload);
  return found == fences_.end() ? -1 : found->second.event_fd.Get();
}

void EventSignals::Await(cl_event event, Fence& fence) {
  // How it ended is asked by whoever wants to know.
  static_cast<void>(library_.clWaitForEvents(1, &event));
  const std::lock_guard<std::mutex> lock(mutex_);
  fence.is_waited_for = false;
  Signal(fence.event_fd);
  changed_.notify_all();
}

}  // namespace opencl
}  // namespace backplane
