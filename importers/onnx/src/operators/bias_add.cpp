#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

OutputSlot AddBiasOfColumns(Node& node) {
  const TensorShape& shape = node.GetInputShape(0);
  if (shape.rank == 0) node.RefuseAsInvalid("its input is a scalar; rows are expected");
  RequireShape(node, 1, {shape[shape.rank - 1]}, "its bias");
  return AddBinary(node, BinaryOperation::kAdd, node.GetInput(0), node.GetInput(1), "/bias");
}

}  // namespace

// Input + bias of each column + skip.
void ConvertMicrosoftBiasAdd(Node& node) {
  const OutputSlot sum = AddBiasOfColumns(node);
  RequireShape(node, 2, node.GetInputShape(0), "its skip");
  node.SetOutput(AddBinary(node, BinaryOperation::kAdd, sum, node.GetInput(2), ""));
}

// The first half of the columns, each times Gelu of its partner in the second half.
void ConvertMicrosoftBiasSplitGelu(Node& node) {
  const OutputSlot sum = AddBiasOfColumns(node);
  const TensorShape shape = node.GetInfo(sum).shape;
  const std::uint32_t axis = shape.rank - 1;
  if (shape[axis] % 2 != 0) {
    node.RefuseAsInvalid("its input is " + ToText(shape) +
                         "; an even number of columns is expected");
  }
  const std::int64_t half = shape[axis] / 2;
  const OutputSlot gate =
      AddActivation(node, ActivationFunction::kGelu,
                    TakeElements(node, sum, axis, half, half, "/second"), "/gelu");
  node.SetOutput(AddBinary(node, BinaryOperation::kMul,
                           TakeElements(node, sum, axis, 0, half, "/first"), gate, ""));
}

// Softmax of input + bias over all axes from one on. Along which axes the bias repeats, its shape
// says.
void ConvertMicrosoftBiasSoftmax(Node& node) {
  node.GetAttributes().Ignore("is_inner_broadcast");
  const TensorShape shape = node.GetInputShape(0);
  if (!BroadcastsTo(node.GetInputShape(1), shape)) {
    node.RefuseAsInvalid("its bias is " + ToText(node.GetInputShape(1)) +
                         ", which does not broadcast to " + ToText(shape) + ", that of its data");
  }
  const std::uint32_t axis = ReadAxis(node, 1);
  OutputSlot sum =
      AddBinary(node, BinaryOperation::kAdd, node.GetInput(0), node.GetInput(1), "/bias");
  SoftmaxDescriptor descriptor;
  descriptor.axis = axis;
  if (axis + 1 == shape.rank) {
    return node.SetOutput(node.AddLayer<LayerType::kSoftmax>(descriptor, {sum}));
  }
  descriptor.axis = 1;
  sum = node.AddReshape(sum, Flatten(shape, axis), "/flatten");
  node.SetOutput(
      node.AddReshape(node.AddLayer<LayerType::kSoftmax>(descriptor, {sum}), shape, "/restore"));
}

}  // namespace backplane::onnx
