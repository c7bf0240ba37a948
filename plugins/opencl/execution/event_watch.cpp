#include "execution/fences.hpp"

namespace backplane {
namespace opencl {

bool EventWatch::Await(const Owned<cl_event>& event, std::chrono::nanoseconds timeout) {
  const cl_event key = event.get();
  std::unique_lock<std::mutex> lock(mutex_);
  if (watched_.emplace(key, event).second) {
    try {
      thread_.Add([this, key] { Watch(key); });
    } catch (...) {
      watched_.erase(key);
      throw;
    }
  }
  return changed_.wait_for(lock, timeout, [&] { return watched_.count(key) == 0; });
}

void EventWatch::Watch(cl_event event) {
  static_cast<void>(library_.clWaitForEvents(1, &event));
  const std::lock_guard<std::mutex> lock(mutex_);
  watched_.erase(event);
  changed_.notify_all();
}

}  // namespace opencl
}  // namespace backplane
