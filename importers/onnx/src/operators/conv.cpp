#include "operators/conv.hpp"

#include "operators/element_layers.hpp"
#include "operators/fused_activation.hpp"
#include "operators/operator_table.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

OutputSlot AddConvolution(Node& node) {
  return node.AddLayer<LayerType::kConvolution>(ReadConvolution(node, 1), GetConvInputs(node));
}

}  // namespace

std::vector<std::int64_t> ReadConvKernel(Node& node, std::size_t input) {
  const TensorShape& weights = node.GetInputShape(input);
  std::vector<std::int64_t> kernel = GetSpatialExtents(node, weights);
  const auto stated = node.GetAttributes().FindInts("kernel_shape");
  if (stated && *stated != kernel) {
    const auto shape = MakeShape(*stated);
    node.RefuseAsInvalid("kernel_shape is " + (shape ? ToText(*shape) : "too long") +
                         ", but its weights are " + ToText(weights));
  }
  return kernel;
}

std::uint32_t ReadGroups(Node& node) {
  const std::int64_t groups = node.GetAttributes().FindInt("group").value_or(1);
  return CheckRange(node, groups, 1, "group");
}

ConvolutionDescriptor ReadConvolution(Node& node, std::size_t weights) {
  ConvolutionDescriptor descriptor;
  CopyWindow(ReadWindow(node, ReadConvKernel(node, weights)), descriptor);
  descriptor.groups = ReadGroups(node);
  return descriptor;
}

std::vector<OutputSlot> GetConvInputs(Node& node) {
  std::vector<OutputSlot> inputs = {node.GetInput(0), node.GetInput(1)};
  if (node.HasInput(2)) inputs.push_back(node.GetInput(2));
  return inputs;
}

void ConvertConv(Node& node) {
  node.SetOutput(AddConvolution(node));
}

// activation(Conv(X, W, B) + Z).
void ConvertMicrosoftFusedConv(Node& node) {
  OutputSlot result = AddConvolution(node);
  if (node.HasInput(3)) {
    result = AddBinary(node, BinaryOperation::kAdd, result, node.GetInput(3), "/add");
  }
  const std::string function = node.GetAttributes().FindString("activation").value_or("");
  const auto parameters = node.GetAttributes().FindFloats("activation_params");
  node.SetOutput(
      AddFusedActivation(node, result, function, parameters.value_or(std::vector<float>())));
}

}  // namespace backplane::onnx
