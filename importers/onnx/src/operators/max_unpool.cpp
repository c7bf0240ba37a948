#include "operators/operator_table.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

// The extents that the pooling had, from those of its output.
void ReadPooledExtents(Node& node, MaxUnpoolingDescriptor& descriptor) {
  const auto kernel = node.GetAttributes().FindInts("kernel_shape");
  if (!kernel) node.RefuseAsInvalid("kernel_shape is absent, but is needed");
  Window window = ReadSteps(node, *kernel);
  ReadPads(node, window);
  descriptor.spatial_rank = window.spatial_rank;
  for (std::uint32_t axis = 0; axis < window.spatial_rank; ++axis) {
    const std::int64_t input =
        CheckRange(node, node.GetInputShape(0)[axis + 2], 1, "extent of the input");
    const std::int64_t padding = std::int64_t{window.pads_begin[axis]} + window.pads_end[axis];
    const std::int64_t extent = (input - 1) * window.strides[axis] + window.kernel[axis] - padding;
    if (extent < 1) {
      node.RefuseAsInvalid("pads leave no output along spatial axis " + std::to_string(axis));
    }
    descriptor.index_extents[axis] = descriptor.extents[axis] = extent;
  }
}

void ReadOutputShape(const Node& node, MaxUnpoolingDescriptor& descriptor) {
  const auto dims = node.ReadConstantInts(2, "output_shape");
  const TensorShape& input = node.GetInputShape(0);
  const auto shape = MakeShape(dims);
  if (dims.size() != input.rank || dims[0] != input[0] || dims[1] != input[1]) {
    node.RefuseAsInvalid("output_shape is " + (shape ? ToText(*shape) : "too long") +
                         ", which does not go with its input, " + ToText(input));
  }
  std::copy(dims.begin() + 2, dims.end(), descriptor.extents);
}

}  // namespace

// Indices count the elements of what was pooled, also when the output is stated to be larger.
void ConvertMaxUnpool(Node& node) {
  MaxUnpoolingDescriptor descriptor;
  ReadPooledExtents(node, descriptor);
  if (node.HasInput(2)) ReadOutputShape(node, descriptor);
  node.SetOutput(
      node.AddLayer<LayerType::kMaxUnpooling>(descriptor, {node.GetInput(0), node.GetInput(1)}));
}

}  // namespace backplane::onnx
