#pragma once

/// The number of threads that OpenMP gives to loops begun by this thread.

#include <omp.h>

namespace backplane {
namespace cpuacc {

/// Sets the number for the calling thread, and puts it back. oneDNN reads it when a primitive is
/// made, and runs the primitive with as many.
class ThreadCount {
 public:
  explicit ThreadCount(int count) : before_(omp_get_max_threads()), now_(before_) { Set(count); }
  ~ThreadCount() { Set(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

  void Set(int count) {
    if (count != now_) omp_set_num_threads(count);
    now_ = count;
  }

 private:
  int before_;
  int now_;
};

}  // namespace cpuacc
}  // namespace backplane
