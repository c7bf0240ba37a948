#include "nodes/node.hpp"
#include "operators/cast_layer.hpp"
#include "operators/operator_table.hpp"
#include "tensors/data_types.hpp"

#include <limits>

namespace backplane::onnx {
namespace {

DataType ReadType(Node& node) {
  const auto stated = node.GetAttributes().FindInt("to");
  if (!stated) node.RefuseAsInvalid("to is absent, but is needed");
  const bool fits = *stated >= 0 && *stated <= std::numeric_limits<std::int32_t>::max();
  const auto number = fits ? static_cast<std::int32_t>(*stated) : 0;
  const DataType type = FromOnnxType(number);
  if (type != DataType::kUndefined) return type;
  node.GetAttributes().Refuse("to", fits ? GetOnnxTypeName(number) : std::to_string(*stated),
                              "numbers and BOOL are supported");
}

void CheckSizes(const Node& node, DataType from, DataType to) {
  if (GetDataTypeSizeBytes(from) == GetDataTypeSizeBytes(to)) return;
  node.RefuseAsInvalid(std::string("its input is ") + GetDataTypeName(from) +
                       " and its output would be " + GetDataTypeName(to) +
                       "; a type with as many bits is expected");
}

}  // namespace

// Integers of one size have the same bits after a cast. What the bits of floats are, only constants
// tell.
void ConvertBitCast(Node& node) {
  const DataType from = node.GetInputInfo(0).data_type;
  const DataType to = ReadType(node);
  CheckSizes(node, from, to);
  if (from == to) return node.ForwardInput(0);
  if (node.IsConstant(0) && to != DataType::kBool) {
    Value value = node.GetValue(0);
    value.info.data_type = to;
    value.slot.reset();
    return node.SetOutput(std::move(value));
  }
  if (IsFloat(from) || IsFloat(to)) {
    node.RefuseAsUnsupported(std::string("it makes ") + GetDataTypeName(to) + " of the bits of " +
                             GetDataTypeName(from) +
                             "; where one of them is a float, only constants are supported");
  }
  node.SetOutput(AddCast(node, node.GetInput(0), to, ""));
}

}  // namespace backplane::onnx
