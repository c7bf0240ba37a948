#include "operators/convolution_shape.hpp"
#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfConvolution(const ConvolutionDescriptor& /*descriptor*/) {
  return {kNumberTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferConvolution(const OperatorInputs& inputs,
                                         const ConvolutionDescriptor& descriptor) {
  const TensorShape shape = InferConvolutionShape(inputs, descriptor);
  if (inputs.Size() == 3) {
    inputs.RequireRank(2, "the bias", 1, "[M]");
    inputs.RequireExtent(2, "the bias", 0, inputs[1].shape[0], "the number of filters");
  }
  return {TensorInfo(shape, inputs[0].data_type)};
}

}  // namespace backplane
