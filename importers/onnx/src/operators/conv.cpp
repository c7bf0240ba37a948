#include "operators/conv_attributes.hpp"
#include "operators/fused_activation.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

OutputSlot AddConvolution(Node& node) {
  return node.AddLayer<LayerType::kConvolution>(ReadConvolution(node, 1), GetConvInputs(node));
}

}  // namespace

void ConvertConv(Node& node) {
  node.SetOutput(AddConvolution(node));
}

// activation(Conv(X, W, B) + Z).
void ConvertMicrosoftFusedConv(Node& node) {
  OutputSlot result = AddConvolution(node);
  if (node.HasInput(3)) {
    result = node.AddLayer<LayerType::kElementwiseBinary>({}, {result, node.GetInput(3)}, "/add");
  }
  const std::string function = node.GetAttributes().FindString("activation").value_or("");
  const auto parameters = node.GetAttributes().FindFloats("activation_params");
  node.SetOutput(
      AddFusedActivation(node, result, function, parameters.value_or(std::vector<float>())));
}

}  // namespace backplane::onnx
