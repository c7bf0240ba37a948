#include "graph/node.hpp"
#include "graph/operator_table.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

/// An axis counted from the end becomes one counted from the start; beyond an end it means that
/// end.
std::uint32_t ClampAxis(std::int64_t axis, std::uint32_t rank) {
  if (axis < 0) axis += rank;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(axis, 0, rank));
}

}  // namespace

void ConvertShape(Node& node) {
  const std::uint32_t rank = node.GetInputShape(0).rank;
  ShapeDescriptor descriptor;
  descriptor.start = ClampAxis(node.GetAttributes().FindInt("start").value_or(0), rank);
  descriptor.end = ClampAxis(node.GetAttributes().FindInt("end").value_or(rank), rank);
  descriptor.end = std::max(descriptor.start, descriptor.end);
  node.SetOutput(node.AddLayer<LayerType::kShape>(descriptor, {node.GetInput(0)}));
}

void ConvertSize(Node& node) {
  node.SetOutput(node.AddLayer<LayerType::kSize>(NoDescriptor(), {node.GetInput(0)}));
}

}  // namespace backplane::onnx
