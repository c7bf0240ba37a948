#include "operators/operators.hpp"

#include <cmath>

namespace backplane {

namespace {

void CheckFunction(const OperatorInputs& inputs, const ActivationDescriptor& descriptor) {
  switch (descriptor.function) {
    case ActivationFunction::kRelu:
    case ActivationFunction::kBoundedRelu:
    case ActivationFunction::kLeakyRelu:
    case ActivationFunction::kSigmoid:
    case ActivationFunction::kTanH:
      return;
  }
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the function is not known",
              "found number " + std::to_string(static_cast<std::uint32_t>(descriptor.function)) +
                  "; expected Relu, BoundedRelu, LeakyRelu, Sigmoid or TanH",
              "set function to a value of ActivationFunction");
}

bool NeedsFloatingPoint(ActivationFunction function) {
  return function != ActivationFunction::kRelu && function != ActivationFunction::kBoundedRelu;
}

}  // namespace

OperatorTypes GetTypesOfActivation(const ActivationDescriptor& descriptor) {
  return {NeedsFloatingPoint(descriptor.function) ? kFloatTypes : kNumberTypes,
          QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferActivation(const OperatorInputs& inputs,
                                        const ActivationDescriptor& descriptor) {
  CheckFunction(inputs, descriptor);
  if (std::isnan(descriptor.alpha) || std::isnan(descriptor.beta)) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "alpha or beta is not a number",
                "found alpha " + std::to_string(descriptor.alpha) + " and beta " +
                    std::to_string(descriptor.beta) + "; expected numbers",
                "set alpha and beta");
  }
  if (descriptor.function == ActivationFunction::kBoundedRelu &&
      descriptor.beta > descriptor.alpha) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the bounds of BoundedRelu are exchanged",
                "found the lower bound beta " + std::to_string(descriptor.beta) +
                    " above the upper bound alpha " + std::to_string(descriptor.alpha) +
                    "; expected beta <= alpha",
                "set alpha to the upper bound and beta to the lower one");
  }
  return {inputs[0]};
}

}  // namespace backplane
