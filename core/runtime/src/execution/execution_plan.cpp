#include "execution/execution_plan.hpp"

#include "memory/arena_plan.hpp"
#include "memory/tensor_lifetimes.hpp"

#include <set>
#include <utility>

namespace backplane {

namespace {

std::vector<PlannedTensor> PlanTensors(const Graph& graph, const ArenaPlan& arena) {
  std::vector<PlannedTensor> tensors;
  for (const Layer& layer : graph.layers) {
    for (const TensorInfo& output : layer.outputs) {
      PlannedTensor tensor;
      tensor.info = &output;
      tensor.is_constant = layer.type == LayerType::kConstant;
      tensor.constant_data = layer.constant_data.get();
      tensor.arena_offset_bytes = arena.offsets[tensors.size()];
      tensors.push_back(tensor);
    }
  }
  return tensors;
}

// Data that several constants share counts once.
std::uint64_t SumConstants(const std::vector<PlannedTensor>& tensors) {
  std::set<std::pair<const void*, std::uint64_t>> counted;
  std::uint64_t sum = 0;
  for (const PlannedTensor& tensor : tensors) {
    if (!tensor.is_constant) continue;
    const std::uint64_t size = tensor.info->GetSizeBytes();
    if (counted.emplace(tensor.constant_data, size).second) sum += size;
  }
  return sum;
}

}  // namespace

ExecutionPlan PlanExecution(const Graph& graph,
                            const std::vector<std::uint32_t>& backend_of_layer) {
  const std::vector<std::uint32_t> first_tensor = NumberTensors(graph);
  const auto number_of = [&](OutputSlot slot) { return first_tensor[slot.layer] + slot.index; };
  const ArenaPlan arena = PlanArena(ComputeLifetimes(graph));

  ExecutionPlan plan;
  plan.tensors = PlanTensors(graph, arena);
  plan.memory = {arena.arena_bytes, arena.lower_bound_bytes, SumConstants(plan.tensors)};
  for (const Layer& layer : graph.layers) {
    if (!IsRunByBackend(layer)) continue;
    PlannedStep step;
    step.layer = layer.id;
    step.backend = backend_of_layer[layer.id];
    step.first_operand = static_cast<std::uint32_t>(plan.operands.size());
    step.num_inputs = static_cast<std::uint32_t>(layer.inputs.size());
    step.num_outputs = static_cast<std::uint32_t>(layer.outputs.size());
    for (const OutputSlot input : layer.inputs) plan.operands.push_back(number_of(input));
    for (std::uint32_t output = 0; output < step.num_outputs; ++output) {
      plan.operands.push_back(number_of({layer.id, output}));
    }
    plan.steps.push_back(step);
  }
  for (const LayerId input : graph.inputs) plan.inputs.push_back(first_tensor[input]);
  for (const LayerId output : graph.outputs) {
    plan.outputs.push_back(number_of(graph.layers[output].inputs[0]));
  }
  return plan;
}

}  // namespace backplane
