#pragma once

/// What finds the best elements of lines.

#include "simd/conversion_functions.hpp"
#include "simd/row_functions.hpp"

#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Which elements are the best. NaN is greater than every number.
enum class Preference : std::uint32_t { kSmallest, kLargest };

/// An element as one number: the upper half is greater for a better element, the lower half for one
/// of equal elements that lies nearer to the beginning.
using Candidate = std::uint64_t;  // of elements of up to 32 bits
__extension__ using WideCandidate = unsigned __int128;

/// The candidates of a line that are collected.
template <typename Number>
struct CandidateList {
  Number* candidates = nullptr;
  std::int64_t count = 0;
  std::int64_t capacity = 0;
  Number threshold = 0;  // no candidate whose upper half is not greater is wanted
};

/// The candidates of elements of one type.
template <typename Number>
struct LineFunctions {
  /// Appends the first `count` elements of a line, for which there is room.
  void (*collect_first)(const void* line, std::int64_t count, Preference preference,
                        CandidateList<Number>& list) = nullptr;
  /// Appends those from `begin` to `end` that are better than the threshold, as long as there is
  /// room for kMostAtOnce. Returns where that was no longer so.
  std::int64_t (*collect_better)(const void* line, std::int64_t begin, std::int64_t end,
                                 Preference preference, CandidateList<Number>& list) = nullptr;
};

/// Finds for each column the rows of the `k` best elements, the best first: that of column i at
/// rows[i], rows[width + i] and so on. `k` is 1 to kMostOfColumn.
using SelectColumnsFunction = void (*)(const void* x, const Panel& panel, Preference preference,
                                       std::int64_t k, std::int32_t* rows);

struct SelectionFunctions {
  static constexpr std::int64_t kMostAtOnce = 32;
  static constexpr std::int64_t kMostOfColumn = 16;
  /// The lower half of a candidate can tell so many elements apart.
  static constexpr std::int64_t kMostElements = 0xFFFFFFFF;

  template <typename Number>
  static std::int64_t GetIndex(Number candidate) {
    return static_cast<std::int64_t>(~candidate & kMostElements);
  }

  LineFunctions<Candidate> of_float32;
  LineFunctions<Candidate> of_int32;
  LineFunctions<Candidate> of_uint8;
  LineFunctions<Candidate> of_int8;
  LineFunctions<WideCandidate> of_int64;

  /// By type of the elements; null where there is none.
  SelectColumnsFunction select_columns[kNumNumberTypes] = {};
};

}  // namespace cpuacc
}  // namespace backplane
