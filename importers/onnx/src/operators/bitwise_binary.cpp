#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, BitwiseOperation operation) {
  BitwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  node.SetOutput(
      node.AddLayer<LayerType::kBitwiseBinary>(descriptor, {node.GetInput(0), node.GetInput(1)}));
}

}  // namespace

void ConvertBitwiseAnd(Node& node) {
  Convert(node, BitwiseOperation::kAnd);
}

void ConvertBitwiseOr(Node& node) {
  Convert(node, BitwiseOperation::kOr);
}

void ConvertBitwiseXor(Node& node) {
  Convert(node, BitwiseOperation::kXor);
}

}  // namespace backplane::onnx
