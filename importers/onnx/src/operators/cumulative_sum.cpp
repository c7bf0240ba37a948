#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

void ConvertCumSum(Node& node) {
  Attributes& attributes = node.GetAttributes();
  CumulativeSumDescriptor descriptor;
  descriptor.axis = node.ResolveAxis(node.ReadConstantInt(1, "axis"), node.GetInputShape(0).rank);
  descriptor.exclusive = attributes.GetFlag("exclusive") ? 1 : 0;
  descriptor.reverse = attributes.GetFlag("reverse") ? 1 : 0;
  node.SetOutput(node.AddLayer<LayerType::kCumulativeSum>(descriptor, {node.GetInput(0)}));
}

}  // namespace backplane::onnx
