#pragma once

/// Squares of as many vectors as a vector has elements.

#include "simd/functions/vectors.hpp"

#include <utility>

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// In each group of 4 elements, those of the lower or the upper half, in turns from a and b.
template <bool kIsUpper, int... kIndices>
CPUACC_INLINE Vector ZipInGroups(Vector a, Vector b,
                                 std::integer_sequence<int, kIndices...> /*indices*/) {
  return __builtin_shufflevector(
      a, b, (kIndices % 2 * kLanes + kIndices / 4 * 4 + (kIsUpper ? 2 : 0) + kIndices % 4 / 2)...);
}

/// Parts of kSize elements, in turns from a and b: those at even places, or those at odd ones.
template <int kSize, bool kIsOdd, int... kIndices>
CPUACC_INLINE Vector TakeParts(Vector a, Vector b,
                               std::integer_sequence<int, kIndices...> /*indices*/) {
  return __builtin_shufflevector(
      a, b,
      (kIndices / kSize % 2 * kLanes + kIndices / (2 * kSize) * (2 * kSize) + (kIsOdd ? kSize : 0) +
       kIndices % kSize)...);
}

/// Exchanges rows and columns of every 4 x 4 elements of 4 rows.
CPUACC_INLINE void TransposeGroups(Vector* rows) {
  constexpr std::make_integer_sequence<int, kLanes> kIndices;
  const Vector low_even = ZipInGroups<false>(rows[0], rows[2], kIndices);
  const Vector high_even = ZipInGroups<true>(rows[0], rows[2], kIndices);
  const Vector low_odd = ZipInGroups<false>(rows[1], rows[3], kIndices);
  const Vector high_odd = ZipInGroups<true>(rows[1], rows[3], kIndices);
  rows[0] = ZipInGroups<false>(low_even, low_odd, kIndices);
  rows[1] = ZipInGroups<true>(low_even, low_odd, kIndices);
  rows[2] = ZipInGroups<false>(high_even, high_odd, kIndices);
  rows[3] = ZipInGroups<true>(high_even, high_odd, kIndices);
}

/// Exchanges the parts of kSize elements of rows that lie as far from each other.
template <int kSize>
CPUACC_INLINE void ExchangeParts(Vector* rows) {
  constexpr std::make_integer_sequence<int, kLanes> kIndices;
#pragma GCC unroll 16
  for (int row = 0; row < kLanes; ++row) {
    if (row / kSize % 2 != 0) continue;
    const Vector even = TakeParts<kSize, false>(rows[row], rows[row + kSize], kIndices);
    rows[row + kSize] = TakeParts<kSize, true>(rows[row], rows[row + kSize], kIndices);
    rows[row] = even;
  }
  if constexpr (2 * kSize < kLanes) ExchangeParts<2 * kSize>(rows);
}

/// Exchanges rows and columns.
CPUACC_INLINE void TransposeLanes(Vector* rows) {
#pragma GCC unroll 4
  for (int row = 0; row < kLanes; row += 4) TransposeGroups(rows + row);
  if constexpr (kLanes > 4) ExchangeParts<4>(rows);
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
