#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/data_types.hpp"

#include <backplane/api/narrow_types.hpp>

namespace backplane::onnx {
namespace {

DataType ReadType(Node& node) {
  const std::int64_t stated = ReadNeededInt(node, "to");
  const DataType type = FromOnnxType(stated);
  if (type != DataType::kUndefined) return type;
  node.GetAttributes().Refuse("to", GetOnnxTypeName(stated), "numbers and BOOL are supported");
}

void CheckSizes(const Node& node, DataType from, DataType to) {
  if (GetDataTypeSizeBits(from) == GetDataTypeSizeBits(to)) return;
  node.RefuseAsInvalid(std::string("its input is ") + GetDataTypeName(from) +
                       " and its output would be " + GetDataTypeName(to) +
                       "; a type with as many bits is expected");
}

}  // namespace

// Integers of one size have the same bits after a cast.
void ConvertBitCast(Node& node) {
  const DataType from = node.GetInputInfo(0).data_type;
  const DataType to = ReadType(node);
  CheckSizes(node, from, to);
  if (from == to) return node.ForwardInput(0);
  const auto is_of_bytes = [](DataType type) {
    return type != DataType::kBool && GetDataTypeSizeBits(type) >= 8;
  };
  if (!is_of_bytes(from) || !is_of_bytes(to)) {
    if (IsNarrowFloat(from) || IsNarrowFloat(to)) {
      node.RefuseAsUnsupported(std::string("it makes ") + GetDataTypeName(to) + " of the bits of " +
                               GetDataTypeName(from) +
                               "; of floats, those of 8 bits and more are supported");
    }
    return node.SetOutput(AddCast(node, node.GetInput(0), to, ""));
  }
  if (node.IsConstant(0)) {
    Value value = node.GetValue(0);
    value.info.data_type = to;
    value.slot.reset();
    return node.SetOutput(std::move(value));
  }
  BitCastDescriptor descriptor;
  descriptor.to = to;
  node.SetOutput(node.AddLayer<LayerType::kBitCast>(descriptor, {node.GetInput(0)}));
}

}  // namespace backplane::onnx
