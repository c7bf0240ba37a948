#pragma once

/// The number of threads that OpenMP gives to loops begun by this thread: one, where oneDNN runs,
/// because the threads of the backend are no team of OpenMP's.

#include <omp.h>

namespace backplane {
namespace cpuacc {

/// Sets the number for the calling thread, and puts it back. oneDNN reads it when a primitive is
/// made, and runs the primitive with as many: it computes nonsense when OpenMP gives fewer, as it
/// may where the user lets it adjust the number.
class ThreadCount {
 public:
  explicit ThreadCount(int count)
      : before_(omp_get_max_threads()), count_(count), may_adjust_(omp_get_dynamic()) {
    if (may_adjust_ != 0) omp_set_dynamic(0);
    if (count_ != before_) omp_set_num_threads(count_);
  }
  ~ThreadCount() {
    if (count_ != before_) omp_set_num_threads(before_);
    if (may_adjust_ != 0) omp_set_dynamic(may_adjust_);
  }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  const int before_;
  const int count_;
  const int may_adjust_;
};

}  // namespace cpuacc
}  // namespace backplane
