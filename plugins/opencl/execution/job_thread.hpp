#pragma once

/// A thread that waits for one thing after the other.

#include "library/library.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace backplane {
namespace opencl {

/// Begins with the first job.
///
/// Threads: one at a time.
class JobThread {
 public:
  explicit JobThread(const Library& library) : library_(library) {}
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;
  /// Does what is left.
  ~JobThread();

  /// Adds a job, which throws nothing. They are done in the order in which they are added.
  /// Errors: std::system_error when there cannot be a thread.
  void Add(std::function<void()> job);

 private:
  /// Also the thread's. In a process that was forked since, where it waits for ever, it is left.
  struct Jobs {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> waiting;  // the first is being done
    bool is_stopping = false;
  };

  static void Run(Jobs& jobs);

  const Library& library_;
  std::shared_ptr<Jobs> jobs_ = std::make_shared<Jobs>();
  std::thread thread_;
};

}  // namespace opencl
}  // namespace backplane
