#include "operators/operators.hpp"
#include "operators/recurrent.hpp"

namespace backplane {

namespace {

constexpr std::uint32_t kNumGruGates = 3;

}  // namespace

OperatorTypes GetTypesOfGru(const GruDescriptor& descriptor) {
  return GetTypesOfRecurrent({descriptor, kNumGruGates});
}

std::vector<TensorInfo> InferGru(const OperatorInputs& inputs, const GruDescriptor& descriptor) {
  inputs.RequireFlag("linear_before_reset", descriptor.linear_before_reset);
  const RecurrentLayer layer(descriptor, kNumGruGates);
  const RecurrentOutputs outputs = InferRecurrent(inputs, layer);
  CheckGates(inputs, layer, descriptor.gates);
  return {outputs.hidden, outputs.last};
}

}  // namespace backplane
