#pragma once

#include "operators/operator_inputs.hpp"

#include <cstdint>

namespace backplane {

/// The product of `count` block sizes.
/// Errors: kInvalidDescriptor for a block of 0; kTensorTooLarge.
std::int64_t GetBlockElements(const OperatorInputs& inputs, const std::uint32_t* blocks,
                              std::uint32_t count);

/// An extent of input 0 divided by a number that must divide it.
/// Errors: kWrongShape when it does not.
std::int64_t DivideExtent(const OperatorInputs& inputs, std::uint32_t axis, std::int64_t extent,
                          std::int64_t divisor);

/// An extent of input 0 times a number.
/// Errors: kTensorTooLarge.
std::int64_t MultiplyExtent(const OperatorInputs& inputs, std::uint32_t axis, std::int64_t factor);

/// The number of spatial axes of input 0, [N, C, spatial...].
/// Errors: kWrongRank unless it is 1 to kMaxSpatialRank.
std::uint32_t GetSpatialRank(const OperatorInputs& inputs);

}  // namespace backplane
