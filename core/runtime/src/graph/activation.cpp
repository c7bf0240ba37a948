#include "graph/operators.hpp"

#include <cmath>

namespace backplane {

namespace {

// The enumerators are numbered without a gap.
bool IsKnown(ActivationFunction function) {
  return function >= ActivationFunction::kRelu && function <= ActivationFunction::kLinear;
}

bool TakesIntegers(ActivationFunction function) {
  return function == ActivationFunction::kRelu || function == ActivationFunction::kBoundedRelu ||
         function == ActivationFunction::kShrink;
}

void CheckFunction(const OperatorInputs& inputs, ActivationFunction function) {
  if (IsKnown(function)) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the function is not known",
              "found number " + std::to_string(static_cast<std::uint32_t>(function)) +
                  "; expected a number from 1 (Relu) to " +
                  std::to_string(static_cast<std::uint32_t>(ActivationFunction::kLinear)) +
                  " (Linear)",
              "set function to a value of ActivationFunction");
}

void CheckParameters(const OperatorInputs& inputs, const ActivationDescriptor& descriptor) {
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
  if (descriptor.function == ActivationFunction::kCelu && descriptor.alpha == 0.0F) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "Celu cannot divide by its alpha",
                "found alpha 0; expected another number", "set alpha, usually to 1");
  }
}

}  // namespace

OperatorTypes GetTypesOfActivation(const ActivationDescriptor& descriptor) {
  return {TakesIntegers(descriptor.function) ? kNumberTypes : kFloatTypes,
          QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferActivation(const OperatorInputs& inputs,
                                        const ActivationDescriptor& descriptor) {
  CheckFunction(inputs, descriptor.function);
  CheckParameters(inputs, descriptor);
  return {inputs[0]};
}

}  // namespace backplane
