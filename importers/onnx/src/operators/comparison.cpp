#include "nodes/node.hpp"
#include "operators/legacy_broadcast.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, ComparisonOperation operation) {
  ComparisonDescriptor descriptor;
  descriptor.operation = operation;
  const OutputSlot first = node.GetInput(0);
  node.SetOutput(
      node.AddLayer<LayerType::kComparison>(descriptor, {first, GetBroadcastInput(node)}));
}

}  // namespace

void ConvertEqual(Node& node) {
  Convert(node, ComparisonOperation::kEqual);
}

void ConvertGreater(Node& node) {
  Convert(node, ComparisonOperation::kGreater);
}

void ConvertGreaterOrEqual(Node& node) {
  Convert(node, ComparisonOperation::kGreaterOrEqual);
}

void ConvertLess(Node& node) {
  Convert(node, ComparisonOperation::kLess);
}

void ConvertLessOrEqual(Node& node) {
  Convert(node, ComparisonOperation::kLessOrEqual);
}

}  // namespace backplane::onnx
