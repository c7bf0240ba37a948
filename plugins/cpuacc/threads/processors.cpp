#include "threads/processors.hpp"

#include "threads/cpu_quota.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
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

std::string ReadTextFile(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace

int CountProcessors() {
  const int visible = CountVisibleProcessors();
  const std::optional<double> quota = FindCpuQuota(ReadTextFile);
  if (!quota || *quota >= visible) return std::max(1, visible);
  return std::max(1, static_cast<int>(std::ceil(*quota)));
}

}  // namespace cpuacc
}  // namespace backplane
