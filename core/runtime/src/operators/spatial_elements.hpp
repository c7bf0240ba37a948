#pragma once

#include "operators/operator_inputs.hpp"

namespace backplane {

/// kWrongShape when input 0, [N, C, spatial...], has a spatial axis without elements.
void RequireSpatialElements(const OperatorInputs& inputs);

}  // namespace backplane
