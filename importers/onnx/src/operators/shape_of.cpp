#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

#include <algorithm>

namespace backplane::onnx {

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
