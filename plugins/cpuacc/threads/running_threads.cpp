#include "threads/running_threads.hpp"

#include "threads/processors.hpp"

#include <omp.h>

#include <atomic>

namespace backplane {
namespace cpuacc {
namespace {

std::atomic<int> running{0};

/// The first run gets what it wants, also more than there are processors. Inside of a loop of the
/// host's own that runs in parallel, OpenMP gives one thread to those begun there.
int Take(int wanted) {
  if (omp_in_parallel() != 0) wanted = 1;
  static const int num_processors = CountProcessors();
  int now = running.load(std::memory_order_relaxed);
  int count = wanted;
  do {
    count = now == 0 || now + wanted <= num_processors ? wanted : 1;
  } while (!running.compare_exchange_weak(now, now + count, std::memory_order_relaxed));
  return count;
}

}  // namespace

RunningThreads::RunningThreads(int wanted) : count_(Take(wanted)) {}

RunningThreads::~RunningThreads() {
  running.fetch_sub(count_, std::memory_order_relaxed);
}

}  // namespace cpuacc
}  // namespace backplane
