#include "operators/movement_layers.hpp"

#include <algorithm>

namespace backplane::onnx {

OutputSlot AddTranspose(Node& node, OutputSlot input, const std::vector<std::uint32_t>& permutation,
                        const std::string& suffix) {
  TransposeDescriptor descriptor;
  std::copy(permutation.begin(), permutation.end(), descriptor.permutation);
  return node.AddLayer<LayerType::kTranspose>(descriptor, {input}, suffix);
}

OutputSlot AddSlice(Node& node, OutputSlot input, std::uint32_t axis, std::int64_t start,
                    std::int64_t extent, const std::string& suffix, std::int64_t step) {
  const TensorShape shape = node.GetInfo(input).shape;
  SliceDescriptor descriptor;
  std::copy_n(shape.dims, shape.rank, descriptor.extents);
  descriptor.starts[axis] = start;
  descriptor.steps[axis] = step;
  descriptor.extents[axis] = extent;
  return node.AddLayer<LayerType::kSlice>(descriptor, {input}, suffix);
}

OutputSlot TakeElements(Node& node, OutputSlot input, std::uint32_t axis, std::int64_t first,
                        std::int64_t count, const std::string& suffix) {
  if (first == 0 && count == node.GetInfo(input).shape[axis]) return input;
  return AddSlice(node, input, axis, first, count, suffix);
}

OutputSlot AddConcat(Node& node, const std::vector<OutputSlot>& inputs, std::uint32_t axis,
                     const std::string& suffix) {
  ConcatDescriptor descriptor;
  descriptor.axis = axis;
  return node.AddLayer<LayerType::kConcat>(descriptor, inputs, suffix);
}

OutputSlot AddBroadcast(Node& node, OutputSlot input, const TensorShape& shape,
                        const std::string& suffix) {
  ExpandDescriptor descriptor;
  descriptor.rank = shape.rank;
  std::copy_n(shape.dims, shape.rank, descriptor.dims);
  return node.AddLayer<LayerType::kExpand>(descriptor, {input}, suffix);
}

OutputSlot AddExpand(Node& node, OutputSlot input, const TensorShape& shape,
                     const std::string& suffix) {
  return node.GetInfo(input).shape == shape ? input : AddBroadcast(node, input, shape, suffix);
}

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
