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

void ConvertTopK(Node& node) {
  Attributes& attributes = node.GetAttributes();
  TopKDescriptor descriptor;
  descriptor.axis = ReadAxis(node, -1);
  // An attribute until operator set 9, an input from 10 on.
  descriptor.k = node.GetOpset() < 10 ? ReadNeededInt(node, "k") : node.ReadConstantInt(1, "K");
  if (node.GetOpset() >= 11) {
    descriptor.largest = attributes.GetFlag("largest", true) ? 1 : 0;
    descriptor.is_sorted = attributes.GetFlag("sorted", true) ? 1 : 0;
  }
  const OutputSlot values = node.AddLayer<LayerType::kTopK>(descriptor, {node.GetInput(0)});
  node.SetOutput(values);
  node.SetOutput(1, {values.layer, 1});
}

void ConvertWhere(Node& node) {
  node.SetOutput(
      node.AddLayer<LayerType::kWhere>({}, {node.GetInput(0), node.GetInput(1), node.GetInput(2)}));
}

}  // namespace backplane::onnx
