#pragma once

/// Convolutions with few filters, along the width.

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Rows may be read, beyond their width, up to the next multiple of this.
constexpr std::int64_t kNarrowStep = 32;

/// One row of the outputs of all filters: sums of rows times weights.
struct NarrowRow {
  const float* const* taps = nullptr;  // where the row that each weight is for begins
  std::int64_t num_taps = 0;
  const float* weights = nullptr;  // [taps, filters]
  const float* bias = nullptr;     // one for each filter, or null
  std::int64_t num_filters = 0;
  std::int64_t width = 0;
  float* output = nullptr;
  std::int64_t output_step = 0;  // from one filter to the next
};

struct NarrowFunctions {
  void (*convolve)(const NarrowRow& row) = nullptr;
  /// Every `stride`-th element from the first on.
  void (*take)(const float* from, std::int64_t stride, std::int64_t count, float* to) = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
