#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"

namespace backplane::onnx {
namespace {

using Slots = std::vector<OutputSlot>;
using OutputTypes = std::vector<OutputType>;

// Inputs: A, its scale and zero point, B with both, scale and zero point of C.
void ConvertPair(Node& node, BinaryOperation operation) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  node.SetOutput(AddBetweenQuantized(
      node, {{0, {1, 2}}, {3, {4, 5}}}, {6, 7}, [&](const Slots& slots, const OutputTypes& types) {
        return node.AddLayer<LayerType::kElementwiseBinary>(descriptor, slots, "", types);
      }));
}

// Inputs: X, its scale and zero point, scale and zero point of Y.
void ConvertActivation(Node& node, ActivationFunction function, float alpha) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = alpha;
  node.SetOutput(AddBetweenQuantized(
      node, {{0, {1, 2}}}, {3, 4}, [&](const Slots& slots, const OutputTypes& types) {
        return node.AddLayer<LayerType::kActivation>(descriptor, slots, "", types);
      }));
}

}  // namespace

void ConvertMicrosoftQLinearAdd(Node& node) {
  ConvertPair(node, BinaryOperation::kAdd);
}

void ConvertMicrosoftQLinearMul(Node& node) {
  ConvertPair(node, BinaryOperation::kMul);
}

void ConvertMicrosoftQLinearSigmoid(Node& node) {
  ConvertActivation(node, ActivationFunction::kSigmoid, 1.0F);
}

void ConvertMicrosoftQLinearLeakyRelu(Node& node) {
  ConvertActivation(node, ActivationFunction::kLeakyRelu,
                    node.GetAttributes().FindFloat("alpha").value_or(0.01F));
}

}  // namespace backplane::onnx
