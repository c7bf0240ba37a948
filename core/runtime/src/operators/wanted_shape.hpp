#pragma once

#include "operators/operator_inputs.hpp"

#include <cstdint>

namespace backplane {

/// The shape that a descriptor states for the output.
/// Errors: kInvalidDescriptor for a rank that is too high and for negative extents.
TensorShape GetWantedShape(const OperatorInputs& inputs, std::uint32_t rank,
                           const std::int64_t* dims);

}  // namespace backplane
