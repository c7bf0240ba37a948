#pragma once

/// A thread that waits for one thing after the other.

#include "library/library.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
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
  void Run();

  const Library& library_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;  // the first is being done
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace opencl
}  // namespace backplane
