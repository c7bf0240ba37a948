#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

OutputSlot AddBias(Node& node) {
  const OutputSlot input = node.GetInput(0);
  if (!node.HasInput(1)) return input;
  return node.AddLayer<LayerType::kElementwiseBinary>({}, {input, node.GetInput(1)}, "/bias");
}

void Convert(Node& node, ActivationFunction function, OutputSlot input, float alpha = 1.0F) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = alpha;
  node.SetOutput(node.AddLayer<LayerType::kActivation>(descriptor, {input}));
}

}  // namespace

void ConvertGelu(Node& node) {
  const std::string approximate = node.GetAttributes().FindString("approximate").value_or("none");
  if (approximate == "none") return Convert(node, ActivationFunction::kGelu, node.GetInput(0));
  if (approximate == "tanh") return Convert(node, ActivationFunction::kGeluTanH, node.GetInput(0));
  node.GetAttributes().Refuse("approximate", "\"" + approximate + "\"",
                              "supported are none and tanh");
}

void ConvertMicrosoftGelu(Node& node) {
  Convert(node, ActivationFunction::kGelu, node.GetInput(0));
}

void ConvertMicrosoftBiasGelu(Node& node) {
  Convert(node, ActivationFunction::kGelu, AddBias(node));
}

void ConvertMicrosoftFastGelu(Node& node) {
  Convert(node, ActivationFunction::kGeluTanH, AddBias(node));
}

void ConvertMicrosoftQuickGelu(Node& node) {
  const float alpha = node.GetAttributes().FindFloat("alpha").value_or(1.702F);
  Convert(node, ActivationFunction::kSwish, node.GetInput(0), alpha);
}

// Swish of the one, times the other.
void ConvertSwiGLU(Node& node) {
  const TensorShape& gate = node.GetInputShape(0);
  const TensorShape& values = node.GetInputShape(1);
  if (gate != values) {
    node.RefuseAsInvalid("its inputs are " + ToText(gate) + " and " + ToText(values) +
                         "; the same shape is expected");
  }
  const float alpha = node.GetAttributes().FindFloat("alpha").value_or(1.0F);
  const OutputSlot swish =
      AddActivation(node, ActivationFunction::kSwish, node.GetInput(0), "/swish", alpha);
  node.SetOutput(AddBinary(node, BinaryOperation::kMul, swish, node.GetInput(1), ""));
}

}  // namespace backplane::onnx
