#pragma once

/// Operands of an epilogue that are shorter than the output.

#include "plan/layer.hpp"

#include <cstdint>
#include <optional>

namespace backplane {
namespace opencl {

/// Element (at / divisor) % modulus goes with element `at` of the output.
struct Repetition {
  std::int64_t divisor = 1;
  std::int64_t modulus = 1;  // the number of elements
  bool is_repeated = false;  // false: at / divisor is always less than the modulus
};

/// How an operand that broadcasts to the output is repeated; nothing when it is otherwise.
std::optional<Repetition> FindRepetition(const TensorShape& operand, const TensorShape& output);

}  // namespace opencl
}  // namespace backplane
