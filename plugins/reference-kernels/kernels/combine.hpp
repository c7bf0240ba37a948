#pragma once

/// Two tensors combined element by element, with broadcasting.

#include "cpu_layers/broadcast.hpp"
#include "kernel.hpp"

#include <cstdint>

namespace backplane {
namespace reference {

/// Along the last axis an operand goes on by one element or repeats; a loop for each case can be
/// vectorised.
template <typename Number, typename Result, typename Operation>
void CombineRows(std::int64_t length, const Number* a, std::int64_t step_a, const Number* b,
                 std::int64_t step_b, Result* output, Operation operation) {
  if (step_a == 0) {
    const Number repeated = *a;
    for (std::int64_t i = 0; i < length; ++i) output[i] = operation(repeated, b[i]);
  } else if (step_b == 0) {
    const Number repeated = *b;
    for (std::int64_t i = 0; i < length; ++i) output[i] = operation(a[i], repeated);
  } else {
    for (std::int64_t i = 0; i < length; ++i) output[i] = operation(a[i], b[i]);
  }
}

/// Gives the output `operation` of the elements of inputs 0 and 1.
template <typename Number, typename Result, typename Operation>
void Combine(const Broadcast& broadcast, const RunTensors& tensors, Operation operation) {
  const Number* a = tensors.Input<Number>(0);
  const Number* b = tensors.Input<Number>(1);
  Result* output = tensors.Output<Result>();
  const std::uint32_t last = broadcast.rank - 1;
  const std::int64_t length = broadcast.extents[last];
  VisitLeadingAxes(broadcast, last, [&](std::int64_t offset_a, std::int64_t offset_b) {
    CombineRows(length, a + offset_a, broadcast.steps[0][last], b + offset_b,
                broadcast.steps[1][last], output, operation);
    output += length;
  });
}

}  // namespace reference
}  // namespace backplane
