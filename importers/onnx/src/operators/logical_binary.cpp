#include "nodes/node.hpp"
#include "operators/legacy_broadcast.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, LogicalOperation operation) {
  LogicalBinaryDescriptor descriptor;
  descriptor.operation = operation;
  const OutputSlot first = node.GetInput(0);
  node.SetOutput(
      node.AddLayer<LayerType::kLogicalBinary>(descriptor, {first, GetBroadcastInput(node)}));
}

}  // namespace

void ConvertAnd(Node& node) {
  Convert(node, LogicalOperation::kAnd);
}

void ConvertOr(Node& node) {
  Convert(node, LogicalOperation::kOr);
}

void ConvertXor(Node& node) {
  Convert(node, LogicalOperation::kXor);
}

}  // namespace backplane::onnx
