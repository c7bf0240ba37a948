#include "graph/operator_table.hpp"
#include "operators/window.hpp"

namespace backplane::onnx {
namespace {

// A window as large as the input.
void Convert(Node& node, PoolingMethod method) {
  const Window window = ReadWindow(node, GetSpatialExtents(node, node.GetInputShape(0)));
  PoolingDescriptor descriptor;
  CopyWindow(window, descriptor);
  std::copy_n(window.kernel, kMaxSpatialRank, descriptor.kernel);
  descriptor.method = method;
  node.SetOutput(node.AddLayer<LayerType::kPooling>(descriptor, {node.GetInput(0)}));
}

}  // namespace

void ConvertGlobalAveragePool(Node& node) {
  Convert(node, PoolingMethod::kAverage);
}

void ConvertGlobalMaxPool(Node& node) {
  Convert(node, PoolingMethod::kMax);
}

}  // namespace backplane::onnx
