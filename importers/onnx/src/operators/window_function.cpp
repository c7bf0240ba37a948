#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/data_types.hpp"

namespace backplane::onnx {
namespace {

// Of integers, the window is made in float64 and cast.
void ConvertWindow(Node& node, WindowFunction function) {
  const DataType type = ReadOutputType(node);
  WindowFunctionDescriptor descriptor;
  descriptor.function = function;
  descriptor.size = node.ReadConstantInt(0, "size");
  descriptor.is_periodic = node.GetAttributes().GetFlag("periodic", true) ? 1 : 0;
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
