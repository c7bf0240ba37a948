#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

// 1 / sqrt(mean(x * x) + epsilon) over the axes from `axis` on, which stay with extent 1.
OutputSlot AddInverseRoot(Node& node, OutputSlot input, std::uint32_t axis, float epsilon) {
  const TensorShape& shape = node.GetInfo(input).shape;
  ReduceDescriptor descriptor;
  descriptor.operation = ReduceOperation::kSumSquare;
  descriptor.keep_dims = 1;
  double count = 1;
  for (std::uint32_t i = axis; i < shape.rank; ++i) {
    descriptor.axes[descriptor.num_axes++] = i;
    count *= static_cast<double>(shape[i]);
  }
  const OutputSlot sum = node.AddLayer<LayerType::kReduce>(descriptor, {input}, "/sum");
  const OutputSlot mean = AddNumber(node, BinaryOperation::kMul, sum, 1.0 / count, "/mean");
  const OutputSlot raised =
      AddNumber(node, BinaryOperation::kAdd, mean, static_cast<double>(epsilon), "/epsilon");
  const OutputSlot root = AddUnary(node, UnaryOperation::kSqrt, raised, "/root");
  return AddUnary(node, UnaryOperation::kReciprocal, root, "/inverse");
}

// Normalises in float32 or more; the product with the scale, an input, has the type of that. Gives
// the inverse of the root.
OutputSlot AddNormalized(Node& node, OutputSlot input, std::size_t scale_index, std::uint32_t axis,
                         float usual_epsilon) {
  const float epsilon = node.GetAttributes().FindFloat("epsilon").value_or(usual_epsilon);
  const TensorInfo info = node.GetInfo(input);
  const TensorInfo& scale = node.GetInputInfo(scale_index);
  if (!IsFloat(info.data_type)) {
    node.RefuseAsInvalid(std::string("its input is ") + GetDataTypeName(info.data_type) +
                         "; floating point is expected");
  }
  if (!BroadcastsTo(scale.shape, info.shape)) {
    node.RefuseAsInvalid("its scale is " + ToText(scale.shape) +
                         "; a shape that broadcasts to that of its input, " + ToText(info.shape) +
                         ", is expected");
  }
  const bool is_double = info.data_type == DataType::kFloat64;
  const DataType type = is_double ? DataType::kFloat64 : DataType::kFloat32;
  const OutputSlot exact = AddCast(node, input, type, "/exact");
  const OutputSlot inverse = AddInverseRoot(node, exact, axis, epsilon);
  const OutputSlot normalized =
      AddBinary(node, BinaryOperation::kMul, exact, inverse, "/normalized");
  node.SetOutput(AddBinary(node, BinaryOperation::kMul,
                           AddCast(node, normalized, scale.data_type, "/rounded"),
                           node.GetInput(scale_index), ""));
  return inverse;
}

}  // namespace

void ConvertRMSNormalization(Node& node) {
  ReadStashType(node);
  AddNormalized(node, node.GetInput(0), 1, ReadAxis(node, -1), 1.0e-5F);
}

// As RMSNormalization, of onnxruntime, which writes it in the default domain too. The second output
// is the inverse of the root.
void ConvertSimplifiedLayerNormalization(Node& node) {
  const DataType type = ReadStashType(node);
  const OutputSlot inverse = AddNormalized(node, node.GetInput(0), 1, ReadAxis(node, -1), 1.0e-5F);
  if (node.IsOutputRead(1)) node.SetOutput(1, AddCast(node, inverse, type, "/output1"));
}

void ConvertMicrosoftSimplifiedLayerNormalization(Node& node) {
  ConvertSimplifiedLayerNormalization(node);
}

// Normalises input + skip + bias over the last axis. Inputs: input, skip, scale, bias. Of the
// outputs the second is not used, the third is the inverse of the root, the fourth the sum.
void ConvertMicrosoftSkipSimplifiedLayerNormalization(Node& node) {
  if (node.IsOutputRead(1)) {
    node.RefuseAsInvalid("its output mean is read; nothing is there, as no mean is calculated");
  }
  OutputSlot sum =
      AddBinary(node, BinaryOperation::kAdd, node.GetInput(0), node.GetInput(1), "/skip");
  if (node.HasInput(3)) {
    sum = AddBinary(node, BinaryOperation::kAdd, sum, node.GetInput(3), "/bias");
  }
  const std::uint32_t axis = node.ResolveAxis(-1, node.GetInfo(sum).shape.rank);
  const OutputSlot inverse = AddNormalized(node, sum, 2, axis, 1.0e-12F);
  node.SetOutput(2, AddCast(node, inverse, DataType::kFloat32, "/output2"));
  node.SetOutput(3, sum);
}

}  // namespace backplane::onnx
