#include "threads/processors.hpp"

#include "files/read_file.hpp"
#include "threads/cpu_quota.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <thread>

namespace backplane {
namespace cpuacc {
namespace {

int CountVisibleProcessors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return CPU_COUNT(&allowed);
  return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

int CountProcessors() {
  const int visible = CountVisibleProcessors();
  // Asked for each layer, and many files.
  static const std::optional<double> quota = FindCpuQuota(ReadFile);
  if (!quota || *quota >= visible) return std::max(1, visible);
  return std::max(1, static_cast<int>(std::ceil(*quota)));
}

}  // namespace cpuacc
}  // namespace backplane
