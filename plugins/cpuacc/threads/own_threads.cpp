#include "threads/own_threads.hpp"

#include <unistd.h>

#include <system_error>
#include <utility>

namespace backplane {
namespace cpuacc {

class OwnThreads::Worker {
 public:
  /// Errors: std::system_error.
  Worker() : thread_([this] { Loop(); }) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_stopping_ = true;
    }
    begun_.notify_one();
    thread_.join();
  }

  void Run(const std::function<void()>& work) {
    std::unique_lock<std::mutex> lock(mutex_);
    work_ = &work;
    begun_.notify_one();
    ended_.wait(lock, [this] { return work_ == nullptr; });
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  void Loop() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      begun_.wait(lock, [this] { return is_stopping_ || work_ != nullptr; });
      if (work_ == nullptr) return;
      const std::function<void()>& work = *work_;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        work();
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      thrown_ = std::move(thrown);
      work_ = nullptr;
      ended_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable ended_;
  const std::function<void()>* work_ = nullptr;  // null: there is none
  std::exception_ptr thrown_;
  bool is_stopping_ = false;
  std::thread thread_;
};

OwnThreads::OwnThreads() = default;

OwnThreads::~OwnThreads() {
  if (process_ == getpid()) return;
  // Their threads are not in this process, and what these wait for cannot be destroyed.
  for (auto& worker : workers_) static_cast<void>(worker.release());
}

OwnThreads::Worker* OwnThreads::Take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (process_ != 0 && process_ != getpid()) return nullptr;
  if (!idle_.empty()) {
    Worker* const worker = idle_.back();
    idle_.pop_back();
    return worker;
  }
  try {
    idle_.reserve(workers_.size() + 1);
    workers_.push_back(std::make_unique<Worker>());
  } catch (const std::system_error&) {
    return nullptr;
  }
  process_ = getpid();
  return workers_.back().get();
}

void OwnThreads::GiveBack(Worker* worker) {
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(worker);
}

void OwnThreads::Run(const std::function<void()>& work) {
  Worker* const worker = Take();
  if (worker == nullptr) return work();
  try {
    worker->Run(work);
  } catch (...) {
    GiveBack(worker);
    throw;
  }
  GiveBack(worker);
}

}  // namespace cpuacc
}  // namespace backplane
