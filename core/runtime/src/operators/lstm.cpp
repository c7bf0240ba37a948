#include "operators/operators.hpp"
#include "operators/recurrent.hpp"

namespace backplane {

namespace {

constexpr std::uint32_t kNumLstmGates = 4;

RecurrentLayer MakeRecurrent(const LstmDescriptor& descriptor) {
  RecurrentLayer layer(descriptor, kNumLstmGates);
  layer.has_initial_cell = descriptor.has_initial_cell;
  layer.has_peepholes = descriptor.has_peepholes;
  return layer;
}

}  // namespace

OperatorTypes GetTypesOfLstm(const LstmDescriptor& descriptor) {
  return GetTypesOfRecurrent(MakeRecurrent(descriptor));
}

std::vector<TensorInfo> InferLstm(const OperatorInputs& inputs, const LstmDescriptor& descriptor) {
  inputs.RequireFlag("input_forget", descriptor.input_forget);
  const RecurrentLayer layer = MakeRecurrent(descriptor);
  const RecurrentOutputs outputs = InferRecurrent(inputs, layer);
  CheckGates(inputs, layer, descriptor.gates);
  return {outputs.hidden, outputs.last, outputs.last};
}

}  // namespace backplane
