#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

// An attribute until operator set 9, an input from 10 on.
std::int64_t ReadCount(Node& node) {
  if (node.GetOpset() >= 10) return node.ReadConstantInt(1, "K");
  const auto count = node.GetAttributes().FindInt("k");
  if (!count) node.RefuseAsInvalid("k is absent, but is needed");
  return *count;
}

}  // namespace

void ConvertTopK(Node& node) {
  Attributes& attributes = node.GetAttributes();
  TopKDescriptor descriptor;
  descriptor.axis =
      node.ResolveAxis(attributes.FindInt("axis").value_or(-1), node.GetInputShape(0).rank);
  descriptor.k = ReadCount(node);
  if (node.GetOpset() >= 11) {
    descriptor.largest = attributes.GetFlag("largest", true) ? 1 : 0;
    descriptor.is_sorted = attributes.GetFlag("sorted", true) ? 1 : 0;
  }
  const OutputSlot values = node.AddLayer<LayerType::kTopK>(descriptor, {node.GetInput(0)});
  node.SetOutput(values);
  node.SetOutput(1, {values.layer, 1});
}

}  // namespace backplane::onnx
