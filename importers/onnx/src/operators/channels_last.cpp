#include "operators/channels_last.hpp"

namespace backplane::onnx {

OutputSlot MoveChannelsSecond(Node& node, OutputSlot input, const std::string& suffix) {
  const std::uint32_t rank = node.GetInfo(input).shape.rank;
  TransposeDescriptor descriptor;
  descriptor.permutation[1] = rank - 1;
  for (std::uint32_t axis = 2; axis < rank; ++axis) descriptor.permutation[axis] = axis - 1;
  return node.AddLayer<LayerType::kTranspose>(descriptor, {input}, suffix);
}

OutputSlot MoveChannelsLast(Node& node, OutputSlot input, const std::string& suffix) {
  const std::uint32_t rank = node.GetInfo(input).shape.rank;
  TransposeDescriptor descriptor;
  for (std::uint32_t axis = 1; axis + 1 < rank; ++axis) descriptor.permutation[axis] = axis + 1;
  descriptor.permutation[rank - 1] = 1;
  return node.AddLayer<LayerType::kTranspose>(descriptor, {input}, suffix);
}

}  // namespace backplane::onnx
