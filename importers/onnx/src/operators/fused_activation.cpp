#include "operators/fused_activation.hpp"

#include <limits>

namespace backplane::onnx {
namespace {

// Which of the parameters are alpha and beta, and their defaults.
struct FusedActivation {
  const char* name;
  ActivationFunction function;
  float first;
  float second;
};

constexpr float kMost = std::numeric_limits<float>::max();
constexpr FusedActivation kActivations[] = {
    {"Relu", ActivationFunction::kRelu, 1.0F, 1.0F},
    {"Sigmoid", ActivationFunction::kSigmoid, 1.0F, 1.0F},
    {"Tanh", ActivationFunction::kTanH, 1.0F, 1.0F},
    {"LeakyRelu", ActivationFunction::kLeakyRelu, 0.01F, 1.0F},
    {"HardSigmoid", ActivationFunction::kHardSigmoid, 0.2F, 0.5F},
    {"Clip", ActivationFunction::kBoundedRelu, -kMost, kMost},
};

}  // namespace

OutputSlot AddFusedActivation(Node& node, OutputSlot input, const std::string& function,
                              const std::vector<float>& parameters) {
  if (function.empty()) return input;
  for (const FusedActivation& known : kActivations) {
    if (function != known.name) continue;
    ActivationDescriptor descriptor;
    descriptor.function = known.function;
    descriptor.alpha = !parameters.empty() ? parameters[0] : known.first;
    descriptor.beta = parameters.size() > 1 ? parameters[1] : known.second;
    // Clip states the lower bound first.
    if (known.function == ActivationFunction::kBoundedRelu) {
      std::swap(descriptor.alpha, descriptor.beta);
    }
    if (known.function == ActivationFunction::kTanH) descriptor.alpha = descriptor.beta = 1.0F;
    return node.AddLayer<LayerType::kActivation>(descriptor, {input}, "/activation");
  }
  node.GetAttributes().Refuse("activation", "\"" + function + "\"",
                              "supported are Relu, Sigmoid, Tanh, LeakyRelu, HardSigmoid and Clip");
}

}  // namespace backplane::onnx
