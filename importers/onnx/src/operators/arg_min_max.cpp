#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, ArgOperation operation) {
  Attributes& attributes = node.GetAttributes();
  ArgMinMaxDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.axis = ReadAxis(node, 0);
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
