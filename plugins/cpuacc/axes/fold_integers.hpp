#pragma once

/// Reductions of integers, of any width, in 64 bits.

#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/axis_groups.hpp"

#include <backplane/api/descriptors/reduce.hpp>

#include <cstdint>
#include <limits>

namespace backplane {
namespace cpuacc {

/// What the groups of a block come to, before a mean is divided: the greatest, the smallest, the
/// product, or a sum, of which some are of magnitudes or squares. Sums and products wrap around.
template <typename Integer>
void FoldIntegers(const cpu_layers::AxisGroups& groups, ReduceOperation operation,
                  const Integer* input, const cpu_layers::AxisGroups::Block& block,
                  std::int64_t* states) {
  using Wide = std::int64_t;
  const auto fold = [&](Wide start, auto term, auto combine) {
    groups.Reduce(
        input, block, start, states,
        [&](Wide state, Integer x, std::int64_t) { return combine(term(Wide{x}), state); },
        combine);
  };
  const auto identity = [](Wide x) { return x; };
  switch (operation) {
    case ReduceOperation::kMaximum:
      return fold(std::numeric_limits<Integer>::min(), identity, cpu_layers::GetMaximum<Wide>);
    case ReduceOperation::kMinimum:
      return fold(std::numeric_limits<Integer>::max(), identity, cpu_layers::GetMinimum<Wide>);
    case ReduceOperation::kProduct:
      return fold(1, identity, cpu_layers::Multiply<Wide>);
    case ReduceOperation::kL1:
      return fold(
          0, [](Wide x) { return x < 0 ? cpu_layers::Subtract<Wide>(0, x) : x; },
          cpu_layers::Add<Wide>);
    case ReduceOperation::kSumSquare:
      return fold(
          0, [](Wide x) { return cpu_layers::Multiply(x, x); }, cpu_layers::Add<Wide>);
    default:
      return fold(0, identity, cpu_layers::Add<Wide>);
  }
}

}  // namespace cpuacc
}  // namespace backplane
