#include "operators/operator_table.hpp"
#include "operators/quantization.hpp"

#include <algorithm>

namespace backplane::onnx {

// Inputs: X, its scale and zero point, scale and zero point of the result. Without axes, all are
// reduced.
void ConvertMicrosoftQLinearReduceMean(Node& node) {
  const std::uint32_t rank = node.GetInputShape(0).rank;
  const auto stated = node.GetAttributes().FindInts("axes").value_or(std::vector<std::int64_t>());
  std::vector<std::uint32_t> axes = node.ResolveAxes(stated, rank);
  for (std::uint32_t axis = 0; axis < rank && stated.empty(); ++axis) axes.push_back(axis);
  ReduceDescriptor descriptor;
  descriptor.operation = ReduceOperation::kMean;
  descriptor.keep_dims = node.GetAttributes().GetFlag("keepdims", true) ? 1 : 0;
  descriptor.num_axes = static_cast<std::uint32_t>(axes.size());
  std::copy(axes.begin(), axes.end(), descriptor.axes);
  node.SetOutput(AddBetweenQuantized(
      node, {{0, {1, 2, 0}}}, {3, 4, 0},
      [&](const std::vector<OutputSlot>& slots, const std::vector<OutputType>& types) {
        return node.AddLayer<LayerType::kReduce>(descriptor, slots, "", types);
      }));
}

}  // namespace backplane::onnx
