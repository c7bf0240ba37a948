#pragma once

/// The number of threads that OpenMP gives to loops begun by this thread.

#include <omp.h>

namespace backplane {
namespace cpuacc {

/// Sets the number for the calling thread, and puts it back. oneDNN reads it when a primitive is
/// made, and runs the primitive with as many: it computes nonsense when OpenMP gives fewer, as it
/// may where the user lets it adjust the number.
class ThreadCount {
 public:
  explicit ThreadCount(int count)
      : before_(omp_get_max_threads()), now_(before_), may_adjust_(omp_get_dynamic()) {
    if (may_adjust_ != 0) omp_set_dynamic(0);
    Set(count);
  }
  ~ThreadCount() {
    Set(before_);
    if (may_adjust_ != 0) omp_set_dynamic(may_adjust_);
  }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

  void Set(int count) {
    if (count != now_) omp_set_num_threads(count);
    now_ = count;
  }

 private:
  int before_;
  int now_;
  int may_adjust_;
};

}  // namespace cpuacc
}  // namespace backplane
