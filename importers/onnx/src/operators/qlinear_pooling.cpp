#include "operators/average_pooling.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

bool ReadChannelsLast(Node& node) {
  const bool is_last = node.GetAttributes().GetFlag("channels_last");
  const std::uint32_t rank = node.GetInputShape(0).rank;
  if (is_last && rank < 3) {
    node.RefuseAsInvalid("its input is " + ToText(node.GetInputShape(0)) +
                         "; [N, spatial..., C] is expected");
  }
  return is_last;
}

// How much such padding is, the extents say, which are looked for where they are not.
void RefuseAutomaticPads(Node& node) {
  const std::string mode = node.GetAttributes().FindString("auto_pad").value_or("NOTSET");
  if (mode == "NOTSET" || mode == "VALID") return;
  node.GetAttributes().Refuse("auto_pad", mode,
                              "with channels_last only NOTSET and VALID are supported");
}

// Inputs: X, its scale and zero point, scale and zero point of Y.
void AddQuantisedPooling(Node& node, const PoolingDescriptor& descriptor, bool is_last) {
  const OutputSlot result =
      AddBetweenQuantized(node, {{0, {1, 2}}}, {3, 4},
                          [&](std::vector<OutputSlot> slots, const std::vector<OutputType>& types) {
                            if (is_last)
                              slots[0] = MoveChannelsSecond(node, slots[0], "/channels_second");
                            return node.AddLayer<LayerType::kPooling>(descriptor, slots, "", types);
                          });
  node.SetOutput(is_last ? MoveChannelsLast(node, result, "/channels_last") : result);
}

}  // namespace

void ConvertMicrosoftQLinearAveragePool(Node& node) {
  const bool is_last = ReadChannelsLast(node);
  if (is_last) RefuseAutomaticPads(node);
  AddQuantisedPooling(node, ReadAveragePooling(node), is_last);
}

void ConvertMicrosoftQLinearGlobalAveragePool(Node& node) {
  const bool is_last = ReadChannelsLast(node);
  TensorShape shape = node.GetInputShape(0);
  for (std::uint32_t axis = shape.rank; is_last && axis-- > 2;) shape[axis] = shape[axis - 1];
  const Window window = ReadWindow(node, GetWholeWindow(node, shape));
  PoolingDescriptor descriptor;
  CopyWindow(window, descriptor);
  std::copy_n(window.kernel, kMaxSpatialRank, descriptor.kernel);
  descriptor.method = PoolingMethod::kAverage;
  AddQuantisedPooling(node, descriptor, is_last);
}

}  // namespace backplane::onnx
