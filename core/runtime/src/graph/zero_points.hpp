#pragma once

#include "graph/operator_inputs.hpp"

namespace backplane {

/// kWrongDataType for zero points, inputs 2 and 3, that have not the type of their operand.
void RequireTypesOfZeroPoints(const OperatorInputs& inputs);

}  // namespace backplane
