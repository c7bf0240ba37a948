#include "graph/operator_table.hpp"
#include "operators/window.hpp"
#include "tensors/shape.hpp"

#include <limits>

namespace backplane::onnx {
namespace {

std::vector<std::int64_t> ReadKernel(Node& node) {
  const TensorShape& weights = node.GetInputShape(1);
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

void ConvertConv(Node& node) {
  ConvolutionDescriptor descriptor;
  CopyWindow(ReadWindow(node, ReadKernel(node)), descriptor);
  descriptor.groups = ReadGroups(node);
  std::vector<OutputSlot> inputs = {node.GetInput(0), node.GetInput(1)};
  if (node.HasInput(2)) inputs.push_back(node.GetInput(2));
  node.SetOutput(node.AddLayer<LayerType::kConvolution>(descriptor, inputs));
}

}  // namespace backplane::onnx
