#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

void ConvertInstanceNormalization(Node& node) {
  if (node.GetOpset() < 6) node.GetAttributes().Ignore("consumed_inputs");
  InstanceNormalizationDescriptor descriptor;
  descriptor.epsilon = node.GetAttributes().FindFloat("epsilon").value_or(descriptor.epsilon);
  node.SetOutput(node.AddLayer<LayerType::kInstanceNormalization>(descriptor, node.GetInputs()));
}

}  // namespace backplane::onnx
