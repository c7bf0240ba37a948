#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/legacy_broadcast.hpp"
#include "operators/operator_table.hpp"
#include "tensors/data_types.hpp"

namespace backplane::onnx {
namespace {

bool IsUnsigned(DataType type) {
  return type == DataType::kUInt8 || type == DataType::kUInt16 || type == DataType::kUInt32 ||
         type == DataType::kUInt64;
}

// In which type a base and an exponent of another type are combined. The result has the type of
// the base again: integers wrap around alike in every width, so that the exponent alone decides.
DataType ChooseType(DataType base, DataType exponent) {
  if (base == exponent) return base;
  if (IsFloat(base) && !IsFloat(exponent)) return base;
  if (IsFloat(base) || IsFloat(exponent)) return DataType::kFloat64;
  return IsUnsigned(exponent) ? DataType::kUInt64 : DataType::kInt64;
}

}  // namespace

void ConvertPow(Node& node) {
  const OutputSlot base = node.GetInput(0);
  const OutputSlot exponent = GetBroadcastInput(node);
  const DataType result = node.GetInfo(base).data_type;
  const DataType type = ChooseType(result, node.GetInfo(exponent).data_type);
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = BinaryOperation::kPower;
  const OutputSlot power = node.AddLayer<LayerType::kElementwiseBinary>(
      descriptor, {AddCast(node, base, type, "/base"), AddCast(node, exponent, type, "/exponent")},
      type == result ? "" : "/power");
  node.SetOutput(AddCast(node, power, result, ""));
}

}  // namespace backplane::onnx
