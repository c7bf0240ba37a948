#pragma once

#include "graph/operator_inputs.hpp"

#include <array>
#include <cstdint>

namespace backplane {

/// For each axis, whether it is in the set.
using AxisSet = std::array<bool, kMaxRank>;

/// The set that a descriptor lists.
/// Errors: kInvalidDescriptor for more axes than a tensor can have, and for one that is not an axis
/// of the first input or is there twice.
AxisSet ReadAxes(const OperatorInputs& inputs, std::uint32_t num_axes,
                 const std::uint32_t (&axes)[kMaxRank]);

}  // namespace backplane
