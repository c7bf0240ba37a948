#include "memory/tensor_lifetimes.hpp"

namespace backplane {

std::vector<std::uint32_t> NumberTensors(const Graph& graph) {
  std::vector<std::uint32_t> first_tensor;
  first_tensor.reserve(graph.layers.size());
  std::uint32_t next = 0;
  for (const Layer& layer : graph.layers) {
    first_tensor.push_back(next);
    next += static_cast<std::uint32_t>(layer.outputs.size());
  }
  return first_tensor;
}

std::vector<TensorLifetime> ComputeLifetimes(const Graph& graph) {
  const std::vector<std::uint32_t> first_tensor = NumberTensors(graph);
  std::vector<TensorLifetime> lifetimes;
  std::uint32_t step = 0;
  for (const Layer& layer : graph.layers) {
    if (IsRunByBackend(layer)) ++step;
    const std::uint32_t written_at = IsRunByBackend(layer) ? step : 0;
    for (const OutputSlot input : layer.inputs) {
      lifetimes[first_tensor[input.layer] + input.index].last_step = step;
    }
    for (const TensorInfo& output : layer.outputs) {
      const bool is_constant = layer.type == LayerType::kConstant;
      lifetimes.push_back({is_constant ? 0 : output.GetSizeBytes(), written_at, written_at});
    }
  }
  for (const LayerId output : graph.outputs) {
    const OutputSlot tensor = graph.layers[output].inputs[0];
    lifetimes[first_tensor[tensor.layer] + tensor.index].last_step = step + 1;
  }
  return lifetimes;
}

}  // namespace backplane
