#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
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

void Convert(Node& node, DataType to) {
  CastDescriptor cast;
  cast.to = to;
  cast.overflow = node.GetAttributes().GetFlag("saturate", true) ? NarrowOverflow::kSaturate
                                                                 : NarrowOverflow::kSpecial;
  cast.scale_rounding = ReadScaleRounding(node);
  const DataType from = node.GetInputInfo(0).data_type;
  if (from == to) return node.ForwardInput(0);
  OutputSlot input = node.GetInput(0);
  // Of floats too, narrow integers have the lowest bits of what is left without the fraction.
  if (IsNarrowInteger(to) && (IsFloat(from) || IsNarrowFloat(from))) {
    input = AddCast(node, input, DataType::kInt32, "/whole");
  }
  node.SetOutput(node.AddLayer<LayerType::kCast>(cast, {input}));
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
  const std::int64_t to = node.GetAttributes().FindInt("to").value_or(0);
  if (FromOnnxType(to) == DataType::kUndefined) {
    node.GetAttributes().Refuse("to", GetOnnxTypeName(to), "numbers and BOOL are supported");
  }
  Convert(node, FromOnnxType(to));
}

void ConvertCastLike(Node& node) {
  Convert(node, node.GetInputInfo(1).data_type);
}

}  // namespace backplane::onnx
