#pragma once

/// Products of rows of numbers with packed matrices, in registers.

#include "simd/functions/vectors.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// The rows that are multiplied at once: as the registers allow for up to 4 vectors each.
constexpr int kRowsAtOnce = kLanes == 16 ? 4 : 2;

/// sums[r][v] += x[r][k] * matrix[k][v], over all k below `size`.
template <int kRows, int kVectors>
CPUACC_INLINE void AddRowProducts(const float* const (&x)[kRows], std::int64_t size,
                                  const float* matrix, Vector (&sums)[kRows][kVectors]) {
  // Sums that do not wait for each other, to keep the adders busy.
  constexpr int kSums = kRows * kVectors;
  constexpr int kParts = kSums >= 8 ? 1 : (7 + kSums) / kSums;
  Vector parts[kParts][kRows][kVectors] = {};
  std::int64_t k = 0;
  for (; k + kParts <= size; k += kParts) {
#pragma GCC unroll 8
    for (int part = 0; part < kParts; ++part) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const Vector factor = Load(matrix + ((k + part) * kVectors + v) * kLanes);
#pragma GCC unroll 4
        for (int r = 0; r < kRows; ++r) parts[part][r][v] += x[r][k + part] * factor;
      }
    }
  }
  for (; k < size; ++k) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const Vector factor = Load(matrix + (k * kVectors + v) * kLanes);
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) parts[0][r][v] += x[r][k] * factor;
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
#pragma GCC unroll 8
      for (int part = 0; part < kParts; ++part) sums[r][v] += parts[part][r][v];
    }
  }
}

/// Calls `few(row)` for kRowsAtOnce rows from `row` on as long as there are as many, then
/// `one(row)`.
template <typename Few, typename One>
CPUACC_INLINE void ForRows(std::int64_t count, Few few, One one) {
  std::int64_t row = 0;
  for (; row + kRowsAtOnce <= count; row += kRowsAtOnce) few(row);
  for (; row < count; ++row) one(row);
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
