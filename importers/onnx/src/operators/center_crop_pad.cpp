#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

std::vector<std::int64_t> ReadWanted(const Node& node, std::size_t num_axes) {
  std::vector<std::int64_t> wanted = node.ReadConstantInts(1, "shape");
  if (wanted.size() != num_axes) {
    node.RefuseAsInvalid("its shape has " + std::to_string(wanted.size()) + " values; " +
                         std::to_string(num_axes) + " are expected, one for each axis");
  }
  for (const std::int64_t extent : wanted) {
    if (extent >= 0) continue;
    node.RefuseAsInvalid("its shape has the extent " + std::to_string(extent) +
                         "; 0 or more is expected");
  }
  return wanted;
}

}  // namespace

// What is added to an axis, or taken from it, is divided between its ends; an odd rest goes to the
// far one.
void ConvertCenterCropPad(Node& node) {
  const TensorShape& input = node.GetInputShape(0);
  const std::vector<std::uint32_t> axes =
      node.ResolveAxesInOrder(node.GetAttributes().FindInts("axes"), input.rank);
  const std::vector<std::int64_t> wanted = ReadWanted(node, axes.size());
  PadDescriptor descriptor;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t difference = wanted[i] - input[axes[i]];
    descriptor.pads_begin[axes[i]] = difference / 2;
    descriptor.pads_end[axes[i]] = difference - difference / 2;
  }
  node.SetOutput(node.AddLayer<LayerType::kPad>(descriptor, {node.GetInput(0)}));
}

}  // namespace backplane::onnx
