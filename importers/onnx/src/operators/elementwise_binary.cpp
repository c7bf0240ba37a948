#include "graph/node.hpp"
#include "graph/operator_table.hpp"

namespace backplane::onnx {
namespace {

OutputSlot AddOperation(Node& node, BinaryOperation operation, OutputSlot a, OutputSlot b,
                        const std::string& suffix = "") {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return node.AddLayer<LayerType::kElementwiseBinary>(descriptor, {a, b}, suffix);
}

// Before operator set 7 shapes broadcast only where an attribute says so, by rules of its own.
void RefuseLegacyBroadcast(Node& node) {
  if (node.GetOpset() >= 7) return;
  if (node.GetAttributes().FindInt("broadcast").value_or(0) != 0) {
    node.GetAttributes().Refuse("broadcast", "1",
                                "broadcasting is supported as operator set 7 and later have it; "
                                "convert the model with onnx.version_converter");
  }
  node.GetAttributes().Ignore("axis");  // read only together with broadcast
}

void ConvertPair(Node& node, BinaryOperation operation) {
  RefuseLegacyBroadcast(node);
  node.SetOutput(AddOperation(node, operation, node.GetInput(0), node.GetInput(1)));
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
