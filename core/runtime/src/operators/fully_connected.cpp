#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfFullyConnected(const FullyConnectedDescriptor& /*descriptor*/) {
  return {kNumberTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferFullyConnected(const OperatorInputs& inputs,
                                            const FullyConnectedDescriptor& descriptor) {
  inputs.RequireFlag("transpose_weights", descriptor.transpose_weights);
  const bool is_transposed = descriptor.transpose_weights == 1;
  inputs.RequireRank(0, "the input", 2, "[N, K]");
  inputs.RequireRank(1, "the weights", 2, is_transposed ? "[M, K]" : "[K, M]");
  inputs.RequireExtent(1, "the weights", is_transposed ? 1 : 0, inputs[0].shape[1],
                       "K of the input");
  const std::int64_t num_outputs = inputs[1].shape[is_transposed ? 0 : 1];
  if (inputs.Size() == 3) {
    inputs.RequireRank(2, "the bias", 1, "[M]");
    inputs.RequireExtent(2, "the bias", 0, num_outputs, "M of the weights");
  }
  return {TensorInfo({inputs[0].shape[0], num_outputs}, inputs[0].data_type)};
}

}  // namespace backplane
