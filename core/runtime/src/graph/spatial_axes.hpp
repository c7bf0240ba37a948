#pragma once

#include "graph/operator_inputs.hpp"

#include <cstdint>

namespace backplane {

/// The number of spatial axes of input 0, [N, C, spatial...].
/// Errors: kWrongRank unless it is 1 to kMaxSpatialRank.
std::uint32_t GetSpatialRank(const OperatorInputs& inputs);

/// kWrongShape when input 0, [N, C, spatial...], has a spatial axis without elements.
void RequireSpatialElements(const OperatorInputs& inputs);

}  // namespace backplane
