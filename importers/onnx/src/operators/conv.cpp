#include "operators/conv.hpp"

#include "operators/element_layers.hpp"
#include "operators/fused_activation.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

#include <limits>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

OutputSlot AddConvolution(Node& node) {
  return node.AddLayer<LayerType::kConvolution>(ReadConvolution(node, 1), GetConvInputs(node));
}

// Inputs of CausalConvWithState.
constexpr std::size_t kInput = 0;
constexpr std::size_t kWeights = 1;
constexpr std::size_t kConvBias = 2;
constexpr std::size_t kPastState = 3;

// The number of elements that each sum takes.
std::int64_t ReadCausalKernel(Node& node) {
  const TensorShape& input = node.GetInputShape(kInput);
  const TensorShape& weights = node.GetInputShape(kWeights);
  const bool is_right = input.rank == 3 && weights.rank == 3 && weights[0] == input[1] &&
                        weights[1] == 1 && weights[2] > 0;
  if (!is_right) {
    node.RefuseAsInvalid("its input is " + ToText(input) + " and its weights " + ToText(weights) +
                         "; [batch, channels, length] and [channels, 1, kernel] are expected");
  }
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (input[1] > kMost || weights[2] > kMost) {
    node.RefuseAsUnsupported("its weights are " + ToText(weights) + "; extents of at most " +
                             std::to_string(kMost) + " are supported");
  }
  return weights[2];
}

// The input with what came before it, or zeros.
OutputSlot AddBefore(Node& node, std::int64_t num_before) {
  const OutputSlot input = node.GetInput(kInput);
  TensorShape expected = node.GetInputShape(kInput);
  expected[2] = num_before;
  if (node.HasInput(kPastState)) {
    RequireShape(node, kPastState, expected, "its past_state");
    if (num_before == 0) return input;
    return AddConcat(node, {node.GetInput(kPastState), input}, 2, "/all");
  }
  if (num_before == 0) return input;
  PadDescriptor descriptor;
  descriptor.pads_begin[2] = num_before;
  return node.AddLayer<LayerType::kPad>(descriptor, {input}, "/all");
}

bool ReadHasSwish(Node& node) {
  const std::string name = node.GetAttributes().FindString("activation").value_or("none");
  if (name != "none" && name != "silu" && name != "swish") {
    node.GetAttributes().Refuse("activation", name, "none, silu and swish are supported");
  }
  return name != "none";
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

// A convolution of each channel by itself over what came before and each element. The second output
// is what the next input has before it.
void ConvertCausalConvWithState(Node& node) {
  const std::int64_t num_before = ReadCausalKernel(node) - 1;
  const bool has_swish = ReadHasSwish(node);
  const OutputSlot all = AddBefore(node, num_before);
  const TensorShape shape = node.GetInfo(all).shape;
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.groups = static_cast<std::uint32_t>(shape[1]);
  std::vector<OutputSlot> inputs = {all, node.GetInput(kWeights)};
  if (node.HasInput(kConvBias)) inputs.push_back(node.GetInput(kConvBias));
  const OutputSlot result =
      node.AddLayer<LayerType::kConvolution>(descriptor, inputs, has_swish ? "/convolution" : "");
  node.SetOutput(has_swish ? AddActivation(node, ActivationFunction::kSwish, result, "") : result);
  if (!node.IsOutputRead(1)) return;
  node.SetOutput(1, AddSlice(node, all, 2, shape[2] - num_before, num_before, "/state"));
}

}  // namespace backplane::onnx
