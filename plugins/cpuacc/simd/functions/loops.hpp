#pragma once

/// Loops that the compiler turns into vector instructions: iterations do not depend on each other,
/// also where the result lies where an argument does.

#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

template <typename Function>
void Map(const float* x, float* y, std::int64_t count, Function function) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) y[i] = function(x[i]);
}

template <typename Function>
void Combine(const float* a, const float* b, float* y, std::int64_t count, Function function) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) y[i] = function(a[i], b[i]);
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
