#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

BitwiseOperation ReadDirection(Node& node) {
  const auto direction = node.GetAttributes().FindString("direction");
  if (!direction) node.RefuseAsInvalid("direction is absent, but is needed");
  if (*direction == "LEFT") return BitwiseOperation::kShiftLeft;
  if (*direction == "RIGHT") return BitwiseOperation::kShiftRight;
  node.RefuseAsInvalid("direction is \"" + *direction + "\"; LEFT or RIGHT is expected");
}

}  // namespace

void ConvertBitShift(Node& node) {
  BitwiseBinaryDescriptor descriptor;
  descriptor.operation = ReadDirection(node);
  node.SetOutput(
      node.AddLayer<LayerType::kBitwiseBinary>(descriptor, {node.GetInput(0), node.GetInput(1)}));
}

}  // namespace backplane::onnx
