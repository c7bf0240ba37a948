#include "operators/axis_parts.hpp"

namespace backplane::onnx {

OutputSlot TakeElements(Node& node, OutputSlot input, std::uint32_t axis, std::int64_t first,
                        std::int64_t count, const std::string& suffix) {
  const TensorShape shape = node.GetInfo(input).shape;
  if (first == 0 && count == shape[axis]) return input;
  SliceDescriptor descriptor;
  for (std::uint32_t i = 0; i < shape.rank; ++i) descriptor.extents[i] = shape[i];
  descriptor.starts[axis] = first;
  descriptor.extents[axis] = count;
  return node.AddLayer<LayerType::kSlice>(descriptor, {input}, suffix);
}

OutputSlot AddConcat(Node& node, OutputSlot a, OutputSlot b, std::uint32_t axis,
                     const std::string& suffix) {
  ConcatDescriptor descriptor;
  descriptor.axis = axis;
  return node.AddLayer<LayerType::kConcat>(descriptor, {a, b}, suffix);
}

}  // namespace backplane::onnx
