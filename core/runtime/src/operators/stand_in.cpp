#include "operators/operators.hpp"
#include "operators/wanted_shape.hpp"

#include <algorithm>

namespace backplane {

namespace {

bool IsPrintable(char character) {
  return character > ' ' && character <= '~';
}

void CheckName(const OperatorInputs& inputs, const StandInDescriptor& descriptor) {
  const char* end = std::find(descriptor.name, descriptor.name + kMaxStandInName, '\0');
  const bool is_ended = end != descriptor.name + kMaxStandInName;
  if (is_ended && end != descriptor.name && std::all_of(descriptor.name, end, IsPrintable)) return;
  std::string found(descriptor.name, end);
  std::replace_if(
      found.begin(), found.end(), [](char c) { return !IsPrintable(c); }, '?');
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "it has no name that can be shown",
              "found \"" + found + (is_ended ? "\"" : "\" without a 0 behind it") +
                  "; expected 1 to " + std::to_string(kMaxStandInName - 1) +
                  " printable ASCII characters without spaces, and a 0",
              "set name to the name of the operator");
}

void CheckNumOutputs(const OperatorInputs& inputs, std::uint32_t num_outputs) {
  if (num_outputs >= 1 && num_outputs <= kMaxStandInOutputs) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the number of outputs is not possible",
              "found " + std::to_string(num_outputs) + "; expected 1 to " +
                  std::to_string(kMaxStandInOutputs),
              "correct num_outputs");
}

}  // namespace

// Nothing is known of what the operator does: each tensor may have a type of its own.
OperatorTypes GetTypesOfStandIn(const StandInDescriptor& descriptor) {
  OperatorTypes types = {kStoredTypes, QuantizedTensors::kRefused};
  for (std::uint32_t input = 0; input < kMaxStandInInputs; ++input) {
    types.own_inputs.push_back({input, kStoredTypes});
  }
  const std::uint32_t num_outputs = std::min(descriptor.num_outputs, kMaxStandInOutputs);
  for (std::uint32_t output = 0; output < num_outputs; ++output) {
    types.own_outputs.push_back({output, OutputRule::kFixed, descriptor.data_types[output]});
  }
  return types;
}

std::vector<TensorInfo> InferStandIn(const OperatorInputs& inputs,
                                     const StandInDescriptor& descriptor) {
  CheckName(inputs, descriptor);
  CheckNumOutputs(inputs, descriptor.num_outputs);
  std::vector<TensorInfo> outputs;
  for (std::uint32_t output = 0; output < descriptor.num_outputs; ++output) {
    outputs.emplace_back(GetWantedShape(inputs, descriptor.ranks[output], descriptor.dims[output]),
                         descriptor.data_types[output]);
  }
  return outputs;
}

}  // namespace backplane
