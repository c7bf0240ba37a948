#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

#include <algorithm>

namespace backplane::onnx {

void ConvertEinsum(Node& node) {
  auto equation = node.GetAttributes().FindString("equation");
  if (!equation) node.RefuseAsInvalid("equation is absent, but is needed");
  equation->erase(std::remove(equation->begin(), equation->end(), ' '), equation->end());
  if (equation->size() >= kMaxEinsumEquation) {
    node.RefuseAsUnsupported("its equation has " + std::to_string(equation->size()) +
                             " characters; at most " + std::to_string(kMaxEinsumEquation - 1) +
                             " are supported");
  }
  if (node.GetNumInputs() > kMaxEinsumOperands) {
    node.RefuseAsUnsupported("it has " + std::to_string(node.GetNumInputs()) + " inputs; at most " +
                             std::to_string(kMaxEinsumOperands) + " are supported");
  }
  EinsumDescriptor descriptor;
  std::copy(equation->begin(), equation->end(), descriptor.equation);
  node.SetOutput(node.AddLayer<LayerType::kEinsum>(descriptor, node.GetInputs()));
}

}  // namespace backplane::onnx
