#pragma once

/// What ways to compute a convolution are tried out on.

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Numbers from -1 to 1 without a pattern.
inline void FillWithNoise(float* values, std::int64_t count) {
  std::uint32_t state = 12345;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    values[i] = static_cast<float>(state >> 8) * 0x1p-23F - 1.0F;
  }
}

}  // namespace cpuacc
}  // namespace backplane
