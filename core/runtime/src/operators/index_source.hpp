#pragma once

#include "operators/operator_inputs.hpp"

#include <cstdint>

namespace backplane {

/// kWrongShape when input 1 has indices, but input 0 nothing along the axis that they could mean.
void RequireElementsToIndex(const OperatorInputs& inputs, std::uint32_t axis);

/// kWrongRank and kWrongShape unless input 1 has the rank of input 0 and, along every axis but one,
/// extents that are not greater.
void RequireIndicesInside(const OperatorInputs& inputs, std::uint32_t axis);

/// The extent of the innermost axis of input 1, whose rank is 1 or more: how many indices a
/// position in input 0 has. Errors: kWrongShape when it is more than `most`.
std::uint32_t RequirePositionLength(const OperatorInputs& inputs, std::uint32_t most);

}  // namespace backplane
