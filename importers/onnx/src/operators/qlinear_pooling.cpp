#include "operators/average_pooling.hpp"
#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "operators/window.hpp"

namespace backplane::onnx {
namespace {

void RefuseChannelsLast(Node& node) {
  if (node.GetAttributes().FindInt("channels_last").value_or(0) == 0) return;
  node.GetAttributes().Refuse("channels_last", "1", "only 0, [N, C, spatial...], is supported");
}

// Inputs: X, its scale and zero point, scale and zero point of Y.
void AddQuantisedPooling(Node& node, const PoolingDescriptor& descriptor) {
  node.SetOutput(AddBetweenQuantized(
      node, {{0, {1, 2}}}, {3, 4},
      [&](const std::vector<OutputSlot>& slots, const std::vector<OutputType>& types) {
        return node.AddLayer<LayerType::kPooling>(descriptor, slots, "", types);
      }));
}

}  // namespace

void ConvertMicrosoftQLinearAveragePool(Node& node) {
  RefuseChannelsLast(node);
  AddQuantisedPooling(node, ReadAveragePooling(node));
}

void ConvertMicrosoftQLinearGlobalAveragePool(Node& node) {
  RefuseChannelsLast(node);
  const Window window = ReadWindow(node, GetSpatialExtents(node, node.GetInputShape(0)));
  PoolingDescriptor descriptor;
  CopyWindow(window, descriptor);
  std::copy_n(window.kernel, kMaxSpatialRank, descriptor.kernel);
  descriptor.method = PoolingMethod::kAverage;
  AddQuantisedPooling(node, descriptor);
}

}  // namespace backplane::onnx
