#include "nodes/node.hpp"
#include "operators/legacy_broadcast.hpp"
#include "operators/operator_table.hpp"
#include "tensors/data_types.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, BinaryOperation operation) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  const OutputSlot first = node.GetInput(0);
  node.SetOutput(
      node.AddLayer<LayerType::kElementwiseBinary>(descriptor, {first, GetBroadcastInput(node)}));
}

}  // namespace

void ConvertAdd(Node& node) {
  Convert(node, BinaryOperation::kAdd);
}

void ConvertSub(Node& node) {
  Convert(node, BinaryOperation::kSub);
}

void ConvertMul(Node& node) {
  Convert(node, BinaryOperation::kMul);
}

void ConvertDiv(Node& node) {
  Convert(node, BinaryOperation::kDiv);
}

void ConvertMod(Node& node) {
  const bool is_remainder = node.GetAttributes().FindInt("fmod").value_or(0) != 0;
  const DataType type = node.GetInputInfo(0).data_type;
  if (!is_remainder && IsFloat(type)) {
    node.RefuseAsInvalid(std::string("its inputs are ") + GetDataTypeName(type) +
                         " and fmod is 0; floating point needs fmod to be 1");
  }
  Convert(node, is_remainder ? BinaryOperation::kRemainder : BinaryOperation::kModulo);
}

}  // namespace backplane::onnx
