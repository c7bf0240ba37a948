#pragma once

#include "graph/operator_inputs.hpp"

#include <backplane/api/tensor_info.hpp>

#include <optional>

namespace backplane {

/// The shape that two shapes broadcast to: aligned at the innermost axis, missing axes count as 1,
/// and an extent of 1 is repeated.
/// Null: when two extents differ and neither is 1.
std::optional<TensorShape> BroadcastShapes(const TensorShape& a, const TensorShape& b);

/// The shape that all inputs together broadcast to.
/// Errors: kWrongShape when they do not.
TensorShape RequireBroadcast(const OperatorInputs& inputs);

}  // namespace backplane
