#include "operators/operators.hpp"
#include "operators/recurrent.hpp"

namespace backplane {

OperatorTypes GetTypesOfRnn(const RnnDescriptor& descriptor) {
  return GetTypesOfRecurrent({descriptor, 1});
}

std::vector<TensorInfo> InferRnn(const OperatorInputs& inputs, const RnnDescriptor& descriptor) {
  const RecurrentLayer layer(descriptor, 1);
  const RecurrentOutputs outputs = InferRecurrent(inputs, layer);
  CheckGate(inputs, descriptor.gates[0]);
  if (layer.direction == RecurrentDirection::kBidirectional) {
    CheckGate(inputs, descriptor.gates[1]);
  }
  return {outputs.hidden, outputs.last};
}

}  // namespace backplane
