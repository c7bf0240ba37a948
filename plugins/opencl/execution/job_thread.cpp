#include "execution/job_thread.hpp"

#include <utility>

namespace backplane {
namespace opencl {

JobThread::~JobThread() {
  if (!thread_.joinable()) return;
  if (!library_.IsSameProcess()) {
    thread_.detach();  // it is not in this process
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void JobThread::Add(std::function<void()> job) {
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void JobThread::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const std::function<void()>& job = jobs_.front();  // stays there when others are added
    lock.unlock();
    job();
    lock.lock();
    jobs_.pop_front();
  }
}

}  // namespace opencl
}  // namespace backplane
