#include "execution/job_thread.hpp"

#include "cpu_layers/blocked_signals.hpp"

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
    const std::lock_guard<std::mutex> lock(jobs_->mutex);
    jobs_->is_stopping = true;
  }
  jobs_->changed.notify_one();
  thread_.join();
}

void JobThread::Add(std::function<void()> job) {
  if (!thread_.joinable()) {
    const cpu_layers::BlockedSignals inherited;
    thread_ = std::thread([jobs = jobs_] { Run(*jobs); });
  }
  {
    const std::lock_guard<std::mutex> lock(jobs_->mutex);
    jobs_->waiting.push_back(std::move(job));
  }
  jobs_->changed.notify_one();
}

void JobThread::Run(Jobs& jobs) {
  std::unique_lock<std::mutex> lock(jobs.mutex);
  for (;;) {
    jobs.changed.wait(lock, [&jobs] { return jobs.is_stopping || !jobs.waiting.empty(); });
    if (jobs.waiting.empty()) return;
    const std::function<void()>& job = jobs.waiting.front();  // stays there when others are added
    lock.unlock();
    job();
    lock.lock();
    jobs.waiting.pop_front();
  }
}

}  // namespace opencl
}  // namespace backplane
