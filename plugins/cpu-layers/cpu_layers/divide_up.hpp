#pragma once

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// Rounded up; 0 for what is below 0. The divisor is above 0.
inline std::int64_t DivideUp(std::int64_t dividend, std::int64_t divisor) {
  return dividend <= 0 ? 0 : (dividend - 1) / divisor + 1;
}

}  // namespace cpu_layers
}  // namespace backplane
