#include "inspection/cpu_level.hpp"

#include <iterator>

namespace backplane::inspection {
namespace {

constexpr const char* kLevelNames[] = {
    "x86-64 (baseline)",
    "x86-64-v2 (SSE4.2)",
    "x86-64-v3 (AVX2)",
    "x86-64-v4 (AVX-512)",
};

}  // namespace

#if defined(__x86_64__)
std::uint32_t GetLevelsOfThisCpu() {
  __builtin_cpu_init();
  std::uint32_t levels = 1;
  if (__builtin_cpu_supports("ssse3") == 0 || __builtin_cpu_supports("sse4.2") == 0 ||
      __builtin_cpu_supports("popcnt") == 0) {
    return levels;
  }
  levels |= 1U << 1U;
  if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("bmi") == 0 ||
      __builtin_cpu_supports("bmi2") == 0 || __builtin_cpu_supports("fma") == 0) {
    return levels;
  }
  levels |= 1U << 2U;
  if (__builtin_cpu_supports("avx512f") == 0 || __builtin_cpu_supports("avx512bw") == 0 ||
      __builtin_cpu_supports("avx512cd") == 0 || __builtin_cpu_supports("avx512dq") == 0 ||
      __builtin_cpu_supports("avx512vl") == 0) {
    return levels;
  }
  return levels | 1U << 3U;
}
#else
std::uint32_t GetLevelsOfThisCpu() {
  return 0;
}
#endif

std::string GetLevelName(std::uint32_t levels) {
  std::size_t level = 0;
  while (levels >> (level + 1) != 0) ++level;
  return level < std::size(kLevelNames) ? kLevelNames[level]
                                        : "x86-64-v" + std::to_string(level + 1);
}

}  // namespace backplane::inspection
