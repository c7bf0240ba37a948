#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

void ConvertMeanVarianceNormalization(Node& node) {
  const std::vector<std::int64_t> of_images = {0, 2, 3};
  const auto stated = node.GetAttributes().FindInts("axes").value_or(of_images);
  MeanVarianceNormalizationDescriptor descriptor;
  for (const std::uint32_t axis : node.ResolveAxes(stated, node.GetInputShape(0).rank)) {
    descriptor.axes[descriptor.num_axes++] = axis;
  }
  node.SetOutput(
      node.AddLayer<LayerType::kMeanVarianceNormalization>(descriptor, {node.GetInput(0)}));
}

}  // namespace backplane::onnx
