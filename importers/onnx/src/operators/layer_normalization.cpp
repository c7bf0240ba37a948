#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

TensorShape GetShapeFrom(const TensorShape& shape, std::uint32_t axis) {
  TensorShape rest;
  for (std::uint32_t i = axis; i < shape.rank; ++i) rest.Append(shape[i]);
  return rest;
}

TensorShape WithoutLeadingOnes(const TensorShape& shape, std::uint32_t rank) {
  std::uint32_t first = 0;
  while (shape.rank - first > rank && shape[first] == 1) ++first;
  return GetShapeFrom(shape, first);
}

// Scale or bias with the shape of what is normalised.
OutputSlot GetParameter(Node& node, std::size_t index, const TensorShape& normalized) {
  const std::string suffix = "/input" + std::to_string(index);
  OutputSlot slot = node.GetInput(index);
  const TensorShape found = node.GetInputShape(index);
  if (found == normalized) return slot;
  const TensorShape shape = WithoutLeadingOnes(found, normalized.rank);
  if (!BroadcastsTo(shape, normalized)) {
    node.RefuseAsUnsupported("its input " + std::to_string(index) + " is " + ToText(found) +
                             "; shapes that broadcast to " + ToText(normalized) +
                             ", that of its first input from the axis on, are supported");
  }
  if (shape != found) slot = node.AddReshape(slot, shape, suffix + "/reshape");
  return AddExpand(node, slot, normalized, suffix + "/expand");
}

std::uint32_t CountOutputsRead(const Node& node) {
  if (node.IsOutputRead(2)) return 3;
  return node.IsOutputRead(1) ? 2 : 1;
}

}  // namespace

void ConvertLayerNormalization(Node& node) {
  LayerNormalizationDescriptor descriptor;
  const TensorShape shape = node.GetInputShape(0);
  descriptor.axis = ReadAxis(node, -1);
  descriptor.epsilon = node.GetAttributes().FindFloat("epsilon").value_or(descriptor.epsilon);
  descriptor.num_outputs = CountOutputsRead(node);
  const DataType stash_type = ReadStashType(node);
  const TensorShape normalized = GetShapeFrom(shape, descriptor.axis);
  std::vector<OutputSlot> inputs = {node.GetInput(0), GetParameter(node, 1, normalized)};
  if (node.HasInput(2)) inputs.push_back(GetParameter(node, 2, normalized));
  const OutputSlot result = node.AddLayer<LayerType::kLayerNormalization>(descriptor, inputs);
  node.SetOutput(result);
  for (std::uint32_t output = 1; output < descriptor.num_outputs; ++output) {
    const std::string suffix = "/output" + std::to_string(output);
    node.SetOutput(output, AddCast(node, {result.layer, output}, stash_type, suffix));
  }
}

// Before operator set 17 the operator was one of onnxruntime's own, with the same meaning.
void ConvertMicrosoftLayerNormalization(Node& node) {
  ConvertLayerNormalization(node);
}

// Normalises input + skip + bias over the last axis. Inputs: input, skip, gamma, beta, bias. The
// second and third output are those of LayerNormalization, the fourth is the sum.
void ConvertMicrosoftSkipLayerNormalization(Node& node) {
  OutputSlot sum =
      AddBinary(node, BinaryOperation::kAdd, node.GetInput(0), node.GetInput(1), "/skip");
  if (node.HasInput(4)) {
    sum = AddBinary(node, BinaryOperation::kAdd, sum, node.GetInput(4), "/bias");
  }
  LayerNormalizationDescriptor descriptor;
  const TensorShape shape = node.GetInfo(sum).shape;
  descriptor.axis = node.ResolveAxis(-1, shape.rank);
  descriptor.epsilon = node.GetAttributes().FindFloat("epsilon").value_or(1.0e-12F);
  descriptor.num_outputs = CountOutputsRead(node);
  const TensorShape normalized = GetShapeFrom(shape, descriptor.axis);
  std::vector<OutputSlot> inputs = {sum, GetParameter(node, 2, normalized)};
  if (node.HasInput(3)) inputs.push_back(GetParameter(node, 3, normalized));
  const OutputSlot result = node.AddLayer<LayerType::kLayerNormalization>(descriptor, inputs);
  node.SetOutput(result);
  for (std::uint32_t output = 1; output < descriptor.num_outputs; ++output) {
    node.SetOutput(output, {result.layer, output});
  }
  node.SetOutput(3, sum);
}

}  // namespace backplane::onnx
