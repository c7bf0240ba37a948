#include "passes/can_run.hpp"

#include "kernels/kernel_table.hpp"

#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

std::vector<const TensorInfo*> GetInfos(const Graph& graph, const std::vector<TensorId>& tensors) {
  std::vector<const TensorInfo*> infos;
  for (const TensorId tensor : tensors) infos.push_back(&graph.tensors[tensor].info);
  return infos;
}

}  // namespace

bool CanRun(const Graph& graph, const Node& node) {
  const std::vector<const TensorInfo*> inputs = GetInfos(graph, node.inputs);
  const std::vector<const TensorInfo*> outputs = GetInfos(graph, node.outputs);
  Layer layer;
  layer.type = node.type;
  layer.descriptor = reinterpret_cast<const BaseDescriptor*>(node.descriptor.data());
  layer.inputs = inputs.data();
  layer.outputs = outputs.data();
  layer.num_inputs = static_cast<std::uint32_t>(inputs.size());
  layer.num_outputs = static_cast<std::uint32_t>(outputs.size());
  return FindRefusal(layer).empty();
}

}  // namespace cpuacc
}  // namespace backplane
