#pragma once

#include "operators/operator_types.hpp"

namespace backplane {

/// Two operands of int8 or uint8, their zero points as inputs 2 and 3, and int32 results.
OperatorTypes GetTypesOfIntegerProduct();

/// kWrongDataType for zero points that have not the type of their operand.
void RequireTypesOfZeroPoints(const OperatorInputs& inputs);

}  // namespace backplane
