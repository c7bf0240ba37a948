#include "graph/operator_table.hpp"
#include "operators/window.hpp"

namespace backplane::onnx {
namespace {

PoolingDescriptor ReadDescriptor(Node& node, PoolingMethod method) {
  const auto kernel = node.GetAttributes().FindInts("kernel_shape");
  if (!kernel) node.RefuseAsInvalid("kernel_shape is absent, but is needed");
  const Window window = ReadWindow(node, *kernel);
  PoolingDescriptor descriptor;
  CopyWindow(window, descriptor);
  std::copy_n(window.kernel, kMaxSpatialRank, descriptor.kernel);
  descriptor.method = method;
  const bool is_ceiling = node.GetAttributes().FindInt("ceil_mode").value_or(0) != 0;
  descriptor.rounding = is_ceiling ? OutputRounding::kCeiling : OutputRounding::kFloor;
  return descriptor;
}

}  // namespace

void ConvertMaxPool(Node& node) {
  node.RefuseFurtherOutputs("the indices of the maxima");
  node.GetAttributes().Ignore("storage_order");  // the order of the indices
  const PoolingDescriptor descriptor = ReadDescriptor(node, PoolingMethod::kMax);
  node.SetOutput(node.AddLayer<LayerType::kPooling>(descriptor, {node.GetInput(0)}));
}

void ConvertAveragePool(Node& node) {
  PoolingDescriptor descriptor = ReadDescriptor(node, PoolingMethod::kAverage);
  const bool is_included = node.GetAttributes().FindInt("count_include_pad").value_or(0) != 0;
  descriptor.padding_in_average =
      is_included ? PaddingInAverage::kInclude : PaddingInAverage::kExclude;
  node.SetOutput(node.AddLayer<LayerType::kPooling>(descriptor, {node.GetInput(0)}));
}

}  // namespace backplane::onnx
