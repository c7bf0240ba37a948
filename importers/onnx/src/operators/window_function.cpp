#include "graph/node.hpp"
#include "graph/operator_table.hpp"
#include "tensors/data_types.hpp"

namespace backplane::onnx {
namespace {

constexpr std::int32_t kOnnxFloat = 1;

DataType ReadOutputType(Node& node) {
  const std::int64_t stated = node.GetAttributes().FindInt("output_datatype").value_or(kOnnxFloat);
  const auto number = static_cast<std::int32_t>(stated);
  const DataType type = number == stated ? FromOnnxType(number) : DataType::kUndefined;
  if (type != DataType::kUndefined && type != DataType::kBool) return type;
  node.GetAttributes().Refuse("output_datatype", GetOnnxTypeName(number),
                              "types of numbers are supported");
}

bool IsFloat(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat16 || type == DataType::kBFloat16 ||
         type == DataType::kFloat64;
}

// Of integers, the window is made in float64 and cast.
void ConvertWindow(Node& node, WindowFunction function) {
  const DataType type = ReadOutputType(node);
  WindowFunctionDescriptor descriptor;
  descriptor.function = function;
  descriptor.size = node.ReadConstantInt(0, "size");
  const bool is_periodic = node.GetAttributes().FindInt("periodic").value_or(1) != 0;
  descriptor.is_periodic = is_periodic ? 1 : 0;
  descriptor.data_type = IsFloat(type) ? type : DataType::kFloat64;
  const OutputSlot window = node.AddLayer<LayerType::kWindowFunction>(descriptor, {});
  if (IsFloat(type)) return node.SetOutput(window);
  CastDescriptor cast;
  cast.to = type;
  node.SetOutput(node.AddLayer<LayerType::kCast>(cast, {window}, "/cast"));
}

}  // namespace

void ConvertHannWindow(Node& node) {
  ConvertWindow(node, WindowFunction::kHann);
}

void ConvertHammingWindow(Node& node) {
  ConvertWindow(node, WindowFunction::kHamming);
}

void ConvertBlackmanWindow(Node& node) {
  ConvertWindow(node, WindowFunction::kBlackman);
}

}  // namespace backplane::onnx
