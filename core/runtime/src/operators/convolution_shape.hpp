#pragma once

#include "operators/operator_inputs.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <cstdint>

namespace backplane {

/// kWrongShape unless the groups, of which there is at least one, divide the channels of input 0.
void RequireGroupsOfChannels(const OperatorInputs& inputs, std::uint32_t groups);

/// The shape of the output of a convolution of input 0 with the weights, input 1.
/// Errors: kWrongRank, kWrongShape, kInvalidDescriptor, kTensorTooLarge.
TensorShape InferConvolutionShape(const OperatorInputs& inputs,
                                  const ConvolutionDescriptor& descriptor);

}  // namespace backplane
