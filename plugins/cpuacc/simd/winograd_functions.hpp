#pragma once

/// Winograd's algorithm along a line: with windows of `size` neighbours, 9 - `size` results at once
/// from 8 elements, at the points 0, 1, -1, 2, -2, 1/2, -1/2 and infinity.

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// The elements that are read, and the products that are made, for one tile of results.
constexpr std::int64_t kTilePoints = 8;
constexpr std::int64_t kFewestTileResults = 3;
constexpr std::int64_t kMostTileResults = 6;

/// Channels lie one after the other. Steps count elements.
struct WinogradFunctions {
  /// From 8 rows at the points, plus the bias, which may be null, to rows of results.
  using TransformOutput = void (*)(const float* points, std::int64_t point_step,
                                   std::int64_t channels, const float* bias, float* results,
                                   std::int64_t result_step);

  /// From 8 rows of elements to 8 rows at the points.
  void (*transform_input)(const float* const* rows, std::int64_t channels, float* points,
                          std::int64_t point_step) = nullptr;
  /// For 3, 4, 5 and 6 results.
  TransformOutput transform_output[kMostTileResults - kFewestTileResults + 1] = {};

  TransformOutput GetOutput(std::int64_t num_results) const {
    return transform_output[num_results - kFewestTileResults];
  }
};

}  // namespace cpuacc
}  // namespace backplane
