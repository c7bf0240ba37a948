#include "graph/node.hpp"
#include "graph/operator_table.hpp"
#include "operators/legacy_broadcast.hpp"

namespace backplane::onnx {
namespace {

OutputSlot AddOperation(Node& node, BinaryOperation operation, OutputSlot a, OutputSlot b,
                        const std::string& suffix = "") {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return node.AddLayer<LayerType::kElementwiseBinary>(descriptor, {a, b}, suffix);
}

void ConvertPair(Node& node, BinaryOperation operation) {
  const OutputSlot first = node.GetInput(0);
  node.SetOutput(AddOperation(node, operation, first, GetBroadcastInput(node)));
}

// Any number of inputs, two at a time from the first on.
void ConvertChain(Node& node, BinaryOperation operation) {
  const std::size_t count = node.GetNumInputs();
  if (count < 2) return node.ForwardInput(0);
  OutputSlot result = node.GetInput(0);
  for (std::size_t index = 1; index < count; ++index) {
    const std::string suffix = index + 1 == count ? "" : "/" + std::to_string(index);
    result = AddOperation(node, operation, result, node.GetInput(index), suffix);
  }
  node.SetOutput(result);
}

}  // namespace

void ConvertAdd(Node& node) {
  ConvertPair(node, BinaryOperation::kAdd);
}

void ConvertSub(Node& node) {
  ConvertPair(node, BinaryOperation::kSub);
}

void ConvertMul(Node& node) {
  ConvertPair(node, BinaryOperation::kMul);
}

void ConvertDiv(Node& node) {
  ConvertPair(node, BinaryOperation::kDiv);
}

void ConvertMax(Node& node) {
  ConvertChain(node, BinaryOperation::kMaximum);
}

void ConvertMin(Node& node) {
  ConvertChain(node, BinaryOperation::kMinimum);
}

}  // namespace backplane::onnx
