#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"

#include <limits>

namespace backplane::onnx {

void ConvertInstanceNormalization(Node& node) {
  if (node.GetOpset() < 6) node.GetAttributes().Ignore("consumed_inputs");
  InstanceNormalizationDescriptor descriptor;
  descriptor.epsilon = node.GetAttributes().FindFloat("epsilon").value_or(descriptor.epsilon);
  node.SetOutput(node.AddLayer<LayerType::kInstanceNormalization>(descriptor, node.GetInputs()));
}

void ConvertLRN(Node& node) {
  Attributes& attributes = node.GetAttributes();
  const std::int64_t size = attributes.FindInt("size").value_or(0);
  if (size < 1 || size > std::numeric_limits<std::uint32_t>::max()) {
    node.RefuseAsInvalid("its size is " + std::to_string(size) + "; 1 or more is expected");
  }
  LocalResponseNormalizationDescriptor descriptor;
  descriptor.size = static_cast<std::uint32_t>(size);
  descriptor.alpha = attributes.FindFloat("alpha").value_or(descriptor.alpha);
  descriptor.beta = attributes.FindFloat("beta").value_or(descriptor.beta);
  descriptor.bias = attributes.FindFloat("bias").value_or(descriptor.bias);
  node.SetOutput(
      node.AddLayer<LayerType::kLocalResponseNormalization>(descriptor, {node.GetInput(0)}));
}

void ConvertLpNormalization(Node& node) {
  const std::int64_t order = node.GetAttributes().FindInt("p").value_or(2);
  if (order != 1 && order != 2) {
    node.GetAttributes().Refuse("p", std::to_string(order), "only 1 and 2 are supported");
  }
  LpNormalizationDescriptor descriptor;
  descriptor.axis = ReadAxis(node, -1);
  descriptor.order = static_cast<std::uint32_t>(order);
  node.SetOutput(node.AddLayer<LayerType::kLpNormalization>(descriptor, {node.GetInput(0)}));
}

void ConvertMeanVarianceNormalization(Node& node) {
  const std::vector<std::int64_t> of_images = {0, 2, 3};
  const auto stated = node.GetAttributes().FindInts("axes").value_or(of_images);
  MeanVarianceNormalizationDescriptor descriptor;
  for (const std::uint32_t axis : node.ResolveAxes(stated, node.GetInputShape(0).rank)) {
    descriptor.axes[descriptor.num_axes++] = axis;
  }
  node.SetOutput(
      node.AddLayer<LayerType::kMeanVarianceNormalization>(descriptor, {node.GetInput(0)}));
}

}  // namespace backplane::onnx
