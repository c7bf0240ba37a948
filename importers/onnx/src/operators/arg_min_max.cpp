#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, ArgOperation operation) {
  Attributes& attributes = node.GetAttributes();
  ArgMinMaxDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.axis =
      node.ResolveAxis(attributes.FindInt("axis").value_or(0), node.GetInputShape(0).rank);
  descriptor.keep_dims = attributes.GetFlag("keepdims", true) ? 1 : 0;
  if (node.GetOpset() >= 12) {
    descriptor.select_last = attributes.GetFlag("select_last_index") ? 1 : 0;
  }
  node.SetOutput(node.AddLayer<LayerType::kArgMinMax>(descriptor, {node.GetInput(0)}));
}

}  // namespace

void ConvertArgMax(Node& node) {
  Convert(node, ArgOperation::kMaximum);
}

void ConvertArgMin(Node& node) {
  Convert(node, ArgOperation::kMinimum);
}

}  // namespace backplane::onnx
