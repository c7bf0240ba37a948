#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "tensors/data_types.hpp"

namespace backplane::onnx {
namespace {

// `saturate` and `round_mode` are of casts to types of 8 bits that Backplane lacks.
void Convert(Node& node, DataType to) {
  node.GetAttributes().Ignore("saturate");
  node.GetAttributes().Ignore("round_mode");
  if (node.GetInputInfo(0).data_type == to) return node.ForwardInput(0);
  node.SetOutput(AddCast(node, node.GetInput(0), to, ""));
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
  const auto to = static_cast<std::int32_t>(node.GetAttributes().FindInt("to").value_or(0));
  if (FromOnnxType(to) == DataType::kUndefined) {
    node.GetAttributes().Refuse("to", GetOnnxTypeName(to), "numbers and BOOL are supported");
  }
  Convert(node, FromOnnxType(to));
}

void ConvertCastLike(Node& node) {
  Convert(node, node.GetInputInfo(1).data_type);
}

}  // namespace backplane::onnx
