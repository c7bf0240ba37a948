#include "threads/runs_now.hpp"

#include "threads/processors.hpp"

#include <algorithm>
#include <atomic>

namespace backplane {
namespace cpuacc {
namespace {

std::atomic<int> num_runs{0};

}  // namespace

CountedRun::CountedRun() {
  num_runs.fetch_add(1, std::memory_order_relaxed);
}

CountedRun::~CountedRun() {
  num_runs.fetch_sub(1, std::memory_order_relaxed);
}

int CountHelpersAllowed(int wanted) {
  const int now = num_runs.load(std::memory_order_relaxed);
  if (now <= 1) return wanted;
  static const int num_processors = CountProcessors();
  return std::clamp(num_processors - now, 0, wanted);
}

}  // namespace cpuacc
}  // namespace backplane
