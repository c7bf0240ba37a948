#include "operators/convolution.hpp"

#include "operators/window.hpp"
#include "tensors/shape.hpp"

#include <limits>

namespace backplane::onnx {
namespace {

std::vector<std::int64_t> ReadKernel(Node& node, std::size_t input) {
  const TensorShape& weights = node.GetInputShape(input);
  std::vector<std::int64_t> kernel = GetSpatialExtents(node, weights);
  const auto stated = node.GetAttributes().FindInts("kernel_shape");
  if (stated && *stated != kernel) {
    const auto shape = MakeShape(*stated);
    node.RefuseAsInvalid("kernel_shape is " + (shape ? ToText(*shape) : "too long") +
                         ", but its weights are " + ToText(weights));
  }
  return kernel;
}

std::uint32_t ReadGroups(Node& node) {
  const std::int64_t groups = node.GetAttributes().FindInt("group").value_or(1);
  if (groups < 1 || groups > std::numeric_limits<std::int32_t>::max()) {
    node.RefuseAsInvalid("group is " + std::to_string(groups) + "; at least 1 is expected");
  }
  return static_cast<std::uint32_t>(groups);
}

}  // namespace

ConvolutionDescriptor ReadConvolution(Node& node, std::size_t weights) {
  ConvolutionDescriptor descriptor;
  CopyWindow(ReadWindow(node, ReadKernel(node, weights)), descriptor);
  descriptor.groups = ReadGroups(node);
  return descriptor;
}

}  // namespace backplane::onnx
