#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

OutputSlot AddOperation(Node& node, BinaryOperation operation, OutputSlot a, OutputSlot b,
                        const std::string& suffix) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return node.AddLayer<LayerType::kElementwiseBinary>(descriptor, {a, b}, suffix);
}

// Any number of inputs, two at a time from the first on. The last layer has `last_suffix`.
OutputSlot AddChain(Node& node, BinaryOperation operation, const std::string& last_suffix = "") {
  const std::size_t count = node.GetNumInputs();
  OutputSlot result = node.GetInput(0);
  for (std::size_t index = 1; index < count; ++index) {
    const std::string suffix = index + 1 == count ? last_suffix : "/" + std::to_string(index);
    result = AddOperation(node, operation, result, node.GetInput(index), suffix);
  }
  return result;
}

void ConvertVariadic(Node& node, BinaryOperation operation) {
  if (node.GetNumInputs() == 1) return node.ForwardInput(0);
  node.SetOutput(AddChain(node, operation));
}

}  // namespace

void ConvertMax(Node& node) {
  ConvertVariadic(node, BinaryOperation::kMaximum);
}

void ConvertMin(Node& node) {
  ConvertVariadic(node, BinaryOperation::kMinimum);
}

void ConvertSum(Node& node) {
  ConvertVariadic(node, BinaryOperation::kAdd);
}

void ConvertMean(Node& node) {
  const std::size_t count = node.GetNumInputs();
  if (count == 1) return node.ForwardInput(0);
  const OutputSlot sum = AddChain(node, BinaryOperation::kAdd, "/sum");
  const OutputSlot divisor =
      node.AddScalar(static_cast<double>(count), node.GetInputInfo(0).data_type, "/count");
  node.SetOutput(AddOperation(node, BinaryOperation::kDiv, sum, divisor, ""));
}

}  // namespace backplane::onnx
