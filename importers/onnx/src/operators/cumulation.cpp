#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/data_types.hpp"

namespace backplane::onnx {
namespace {

/// Along which axis it runs, from which end.
struct Direction {
  std::uint32_t axis = 0;
  bool is_reverse = false;
};

// The tensor moved along the axis, away from where the products begin, with ones where it was.
OutputSlot AddMoved(Node& node, const Direction& direction, OutputSlot input, OutputSlot one,
                    std::int64_t distance) {
  PadDescriptor descriptor;
  descriptor.pads_begin[direction.axis] = direction.is_reverse ? -distance : distance;
  descriptor.pads_end[direction.axis] = -descriptor.pads_begin[direction.axis];
  return node.AddLayer<LayerType::kPad>(descriptor, {input, one},
                                        "/moved_" + std::to_string(distance));
}

// Each element times the one before it, then times the one 2 before, then 4: that many of them each
// has taken in by then.
OutputSlot AddProducts(Node& node, const Direction& direction, OutputSlot factors, OutputSlot one) {
  const std::int64_t extent = node.GetInputShape(0)[direction.axis];
  for (std::int64_t distance = 1; distance < extent; distance *= 2) {
    const OutputSlot moved = AddMoved(node, direction, factors, one, distance);
    factors = AddBinary(node, BinaryOperation::kMul, factors, moved,
                        "/product_" + std::to_string(distance));
  }
  return factors;
}

}  // namespace

void ConvertCumSum(Node& node) {
  Attributes& attributes = node.GetAttributes();
  CumulativeSumDescriptor descriptor;
  descriptor.axis = node.ResolveAxis(node.ReadConstantInt(1, "axis"), node.GetInputShape(0).rank);
  descriptor.exclusive = attributes.GetFlag("exclusive") ? 1 : 0;
  descriptor.reverse = attributes.GetFlag("reverse") ? 1 : 0;
  node.SetOutput(node.AddLayer<LayerType::kCumulativeSum>(descriptor, {node.GetInput(0)}));
}

// Floats are multiplied as float64: products of parts may be out of range where those from the
// beginning are not.
void ConvertCumProd(Node& node) {
  const TensorInfo& info = node.GetInputInfo(0);
  const Direction direction = {node.ResolveAxis(node.ReadConstantInt(1, "axis"), info.shape.rank),
                               node.GetAttributes().GetFlag("reverse")};
  const bool is_exclusive = node.GetAttributes().GetFlag("exclusive");
  if (info.shape.GetNumElements() == 0) return node.ForwardInput(0);
  const DataType computed = IsFloat(info.data_type) ? DataType::kFloat64 : info.data_type;
  const OutputSlot one = node.AddScalar(1.0, computed, "/one");
  OutputSlot factors = AddCast(node, node.GetInput(0), computed, "/float64");
  if (is_exclusive) factors = AddMoved(node, direction, factors, one, 1);
  node.SetOutput(AddCast(node, AddProducts(node, direction, factors, one), info.data_type, ""));
}

}  // namespace backplane::onnx
