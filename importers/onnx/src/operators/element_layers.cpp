#include "operators/element_layers.hpp"

namespace backplane::onnx {

OutputSlot AddBinary(Node& node, BinaryOperation operation, OutputSlot a, OutputSlot b,
                     const std::string& suffix) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return node.AddLayer<LayerType::kElementwiseBinary>(descriptor, {a, b}, suffix);
}

OutputSlot AddUnary(Node& node, UnaryOperation operation, OutputSlot input,
                    const std::string& suffix) {
  ElementwiseUnaryDescriptor descriptor;
  descriptor.operation = operation;
  return node.AddLayer<LayerType::kElementwiseUnary>(descriptor, {input}, suffix);
}

OutputSlot AddActivation(Node& node, ActivationFunction function, OutputSlot input,
                         const std::string& suffix, float alpha, float beta) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = alpha;
  descriptor.beta = beta;
  return node.AddLayer<LayerType::kActivation>(descriptor, {input}, suffix);
}

OutputSlot AddComparison(Node& node, ComparisonOperation operation, OutputSlot a, OutputSlot b,
                         const std::string& suffix) {
  ComparisonDescriptor descriptor;
  descriptor.operation = operation;
  return node.AddLayer<LayerType::kComparison>(descriptor, {a, b}, suffix);
}

OutputSlot AddNumber(Node& node, BinaryOperation operation, OutputSlot input, double number,
                     const std::string& suffix) {
  const OutputSlot value = node.AddScalar(number, node.GetInfo(input).data_type, suffix + "/value");
  return AddBinary(node, operation, input, value, suffix);
}

}  // namespace backplane::onnx
