#pragma once

#include "graph/operator_inputs.hpp"

#include <cstdint>
#include <initializer_list>

namespace backplane {

/// Some axes of a shape: `count` from `begin` on.
struct AxisRange {
  const TensorShape& shape;
  std::uint32_t begin;
  std::uint32_t count;
};

/// The shape that has the axes of several ranges, one behind the other.
/// Errors: kWrongRank when they are more than kMaxRank.
TensorShape JoinAxes(const OperatorInputs& inputs, std::initializer_list<AxisRange> ranges);

}  // namespace backplane
