#include "placement/layer_work.hpp"

#include <algorithm>

namespace backplane {

namespace {

double CountElements(const TensorInfo& info) {
  return static_cast<double>(info.shape.GetNumElements());
}

/// How many products are summed up in each element of the output, on average; 0 for layers that are
/// no sums of products.
double CountProducts(const Graph& graph, const Layer& layer) {
  if (layer.inputs.size() < 2) return 0;
  const TensorShape& values = GetTensor(graph, layer.inputs[0]).shape;
  const TensorShape& weights = GetTensor(graph, layer.inputs[1]).shape;
  switch (layer.type) {
    case LayerType::kConvolution:
    case LayerType::kIntegerConvolution:
      return static_cast<double>(weights.GetNumElements()) /
             static_cast<double>(std::max<std::int64_t>(weights[0], 1));
    case LayerType::kTransposedConvolution:
      // Each element of the input is multiplied with all weights of its channel.
      return CountElements(GetTensor(graph, layer.inputs[0])) *
             CountElements(GetTensor(graph, layer.inputs[1])) /
             static_cast<double>(std::max<std::int64_t>(weights[0], 1)) /
             std::max(CountElements(layer.outputs[0]), 1.0);
    case LayerType::kFullyConnected:
    case LayerType::kIntegerMatMul:
      return static_cast<double>(values[values.rank - 1]);
    case LayerType::kBatchMatMul: {
      const auto descriptor = CopyDescriptor<BatchMatMulDescriptor>(*layer.descriptor);
      return static_cast<double>(values[values.rank - (descriptor.transpose_a != 0 ? 2U : 1U)]);
    }
    default:
      return 0;
  }
}

}  // namespace

LayerWork EstimateWork(const Graph& graph, const Layer& layer) {
  LayerWork work;
  double num_read = 0;
  double num_written = 0;
  for (const TensorInfo* const input : GetInputTensors(graph, layer)) {
    num_read += CountElements(*input);
    work.num_bytes += static_cast<double>(input->GetSizeBytes());
  }
  for (const TensorInfo& output : layer.outputs) {
    num_written += CountElements(output);
    work.num_bytes += static_cast<double>(output.GetSizeBytes());
  }
  const double num_products = CountProducts(graph, layer);
  work.num_operations =
      num_products > 0 ? 2 * num_products * num_written : std::max(num_read, num_written);
  return work;
}

}  // namespace backplane
