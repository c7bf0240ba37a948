#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

#include <limits>

namespace backplane::onnx {

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

}  // namespace backplane::onnx
