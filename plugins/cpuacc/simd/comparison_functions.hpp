#pragma once

/// Comparisons, logic and choices, element by element, with rows that go on or repeat.

#include "simd/conversion_functions.hpp"

#include <backplane/api/descriptors/comparison.hpp>
#include <backplane/api/descriptors/logical_binary.hpp>

#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// A row of an operand: its step is 1, or 0 when one element is repeated.
struct OperandRow {
  const void* begin = nullptr;
  std::int64_t step = 1;
};

/// y[i] = f(a[i], b[i]).
using CombineRows = void (*)(OperandRow a, OperandRow b, void* y, std::int64_t count);
/// y[i] = condition[i] ? a[i] : b[i].
using SelectRows = void (*)(OperandRow condition, OperandRow a, OperandRow b, void* y,
                            std::int64_t count);

struct ComparisonFunctions {
  static constexpr std::size_t kNumComparisons =
      static_cast<std::size_t>(ComparisonOperation::kLessOrEqual) + 1;
  static constexpr std::size_t kNumLogicalOperations =
      static_cast<std::size_t>(LogicalOperation::kXor) + 1;

  CombineRows GetComparison(NumberType type, ComparisonOperation operation) const {
    return comparisons[static_cast<std::size_t>(type)][static_cast<std::size_t>(operation)];
  }
  CombineRows GetLogic(LogicalOperation operation) const {
    return logic[static_cast<std::size_t>(operation)];
  }

  /// By type of the operands and operation; null where it is not defined.
  CombineRows comparisons[kNumNumberTypes][kNumComparisons] = {};
  CombineRows logic[kNumLogicalOperations] = {};
  // Of elements of so many bytes.
  SelectRows select_1 = nullptr;
  SelectRows select_2 = nullptr;
  SelectRows select_4 = nullptr;
  SelectRows select_8 = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
