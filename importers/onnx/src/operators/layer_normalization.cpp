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

// The scale is input `scale`, and the bias, which may be absent, the one behind it. The statistics,
// which are further outputs, have their own type.
void Normalize(Node& node, OutputSlot input, std::size_t scale, std::uint32_t axis,
               float usual_epsilon, DataType type_of_statistics) {
  LayerNormalizationDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.epsilon = node.GetAttributes().FindFloat("epsilon").value_or(usual_epsilon);
  descriptor.num_outputs = CountOutputsRead(node);
  const TensorShape normalized = GetShapeFrom(node.GetInfo(input).shape, axis);
  std::vector<OutputSlot> inputs = {input, GetParameter(node, scale, normalized)};
  if (node.HasInput(scale + 1)) inputs.push_back(GetParameter(node, scale + 1, normalized));
  const OutputSlot result = node.AddLayer<LayerType::kLayerNormalization>(descriptor, inputs);
  node.SetOutput(result);
  for (std::uint32_t output = 1; output < descriptor.num_outputs; ++output) {
    const std::string suffix = "/output" + std::to_string(output);
    node.SetOutput(output, AddCast(node, {result.layer, output}, type_of_statistics, suffix));
  }
}

}  // namespace

void ConvertLayerNormalization(Node& node) {
  const std::uint32_t axis = ReadAxis(node, -1);
  const DataType stash_type = ReadStashType(node);
  Normalize(node, node.GetInput(0), 1, axis, 1.0e-5F, stash_type);
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
  const std::uint32_t axis = node.ResolveAxis(-1, node.GetInfo(sum).shape.rank);
  Normalize(node, sum, 2, axis, 1.0e-12F, DataType::kFloat32);
  node.SetOutput(3, sum);
}

}  // namespace backplane::onnx
