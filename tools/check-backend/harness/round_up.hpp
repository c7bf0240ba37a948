#pragma once

#include <cstdint>

namespace backplane::check_backend {

/// The least multiple of `unit` that is not less than `size`. A unit of 0 counts as 1.
constexpr std::uint64_t RoundUp(std::uint64_t size, std::uint64_t unit) {
  return unit == 0 ? size : (size + unit - 1) / unit * unit;
}

}  // namespace backplane::check_backend
