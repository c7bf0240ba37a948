#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/data_types.hpp"

#include <backplane/api/narrow_types.hpp>

namespace backplane::onnx {
namespace {

ScaleRounding ReadScaleRounding(Node& node) {
  const std::string mode = node.GetAttributes().FindString("round_mode").value_or("up");
  if (mode == "up") return ScaleRounding::kUp;
  if (mode == "down") return ScaleRounding::kDown;
  if (mode == "nearest") return ScaleRounding::kNearest;
  node.GetAttributes().Refuse("round_mode", "\"" + mode + "\"",
                              "up, down and nearest are supported");
}

// Reals become narrow integers as ONNX has it: the lowest bits of the nearest integer, of two the
// even one.
OutputSlot AddWhole(Node& node, OutputSlot reals) {
  const bool is_narrow = IsNarrowFloat(node.GetInfo(reals).data_type);
  if (is_narrow) reals = AddCast(node, reals, DataType::kFloat32, "/float");
  const OutputSlot rounded = AddUnary(node, UnaryOperation::kRound, reals, "/rounded");
  return AddCast(node, rounded, DataType::kInt32, "/whole");
}

void Convert(Node& node, DataType to) {
  CastDescriptor cast;
  cast.to = to;
  cast.overflow = node.GetAttributes().GetFlag("saturate", true) ? NarrowOverflow::kSaturate
                                                                 : NarrowOverflow::kSpecial;
  cast.scale_rounding = ReadScaleRounding(node);
  const DataType from = node.GetInputInfo(0).data_type;
  if (from == to) return node.ForwardInput(0);
  OutputSlot input = node.GetInput(0);
  if (IsNarrowInteger(to) && (IsFloat(from) || IsNarrowFloat(from))) input = AddWhole(node, input);
  node.SetOutput(node.AddLayer<LayerType::kCast>(cast, {input}));
}

DataType ReadType(Node& node, std::int64_t stated) {
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

// Until operator set 5 the type is given by its name.
void ConvertCast(Node& node) {
  if (node.GetOpset() < 6) {
    const std::string name = node.GetAttributes().FindString("to").value_or("");
    ::onnx::TensorProto::DataType type = ::onnx::TensorProto::UNDEFINED;
    ::onnx::TensorProto::DataType_Parse(name, &type);
    if (FromOnnxType(type) == DataType::kUndefined) {
      node.GetAttributes().Refuse("to", "\"" + name + "\"", "numbers and BOOL are supported");
    }
    return Convert(node, FromOnnxType(type));
  }
  Convert(node, ReadType(node, node.GetAttributes().FindInt("to").value_or(0)));
}

void ConvertCastLike(Node& node) {
  Convert(node, node.GetInputInfo(1).data_type);
}

// Integers of one size have the same bits after a cast.
void ConvertBitCast(Node& node) {
  const DataType from = node.GetInputInfo(0).data_type;
  const DataType to = ReadType(node, ReadNeededInt(node, "to"));
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
