#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"

namespace backplane::onnx {
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

}  // namespace backplane::onnx
