#pragma once

#include "operators/operator_inputs.hpp"

#include <backplane/api/descriptors/convolution.hpp>

namespace backplane {

/// The shape of the output of a convolution of input 0 with the weights, input 1.
/// Errors: kWrongRank, kWrongShape, kInvalidDescriptor, kTensorTooLarge.
TensorShape InferConvolutionShape(const OperatorInputs& inputs,
                                  const ConvolutionDescriptor& descriptor);

}  // namespace backplane
