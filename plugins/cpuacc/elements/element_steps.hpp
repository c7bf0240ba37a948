#pragma once

/// Operations on elements as the functions that do them.

#include "graph/element_op.hpp"
#include "simd/simd.hpp"

#include <cstdint>
#include <optional>

namespace backplane {
namespace cpuacc {

/// One pass over a block.
struct ElementStep {
  static constexpr std::size_t kNoTensor = ~std::size_t{0};

  MapFunction map = nullptr;          // without an operand, or when it is a number
  CombineFunction combine = nullptr;  // with an array of operands
  float alpha = 0.0F;
  float beta = 0.0F;
  std::size_t tensor = kNoTensor;  // the operand, among the tensors of the loops
  bool operand_is_first = false;   // combine(operand, x)
};

/// How much work an element is, compared with an addition.
std::int64_t GetCost(const ElementOp& op);

/// An operation without operand, or with an operand that is this number.
ElementStep MakeStep(const SimdFunctions& simd, const ElementOp& op, std::optional<float> number);

/// An operation with an operand that is read when it runs: an array, or one number for each row.
ElementStep MakeStep(const SimdFunctions& simd, const ElementOp& op, std::size_t tensor);

/// Turns elements that are int32 into numbers.
ElementStep MakeIntegerStep(const SimdFunctions& simd);

/// Puts 0 where tensor `mask` has it.
ElementStep MakeMaskStep(const SimdFunctions& simd, std::size_t mask);

}  // namespace cpuacc
}  // namespace backplane
