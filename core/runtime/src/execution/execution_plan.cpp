#include "execution/execution_plan.hpp"

#include "memory/arena_plan.hpp"
#include "memory/constant_memory.hpp"
#include "memory/tensor_lifetimes.hpp"
#include "memory/tensor_numbers.hpp"

namespace backplane {

namespace {

std::vector<PlannedTensor> PlanTensors(const Graph& graph, const AliasGroups& groups,
                                       const ArenaPlan& arena) {
  std::vector<PlannedTensor> tensors;
  tensors.reserve(groups.tensors.size());
  for (const Layer& layer : graph.layers) {
    for (const TensorInfo& output : layer.outputs) {
      const AliasedTensor& aliased = groups.tensors[tensors.size()];
      PlannedTensor tensor;
      if (aliased.kind == AliasKind::kOwner) {
        tensor.is_constant = layer.type == LayerType::kConstant;
        tensor.constant_data = layer.constant_data.get();
        tensor.arena_offset_bytes = arena.offsets[aliased.group];
      } else {
        tensor = tensors[groups.owners[aliased.group]];
      }
      tensor.info = &output;
      tensors.push_back(tensor);
    }
  }
  return tensors;
}

}  // namespace

ExecutionPlan PlanExecution(const Graph& graph, const std::vector<std::uint32_t>& backend_of_layer,
                            const std::vector<InPlaceUse>& in_place) {
  const TensorNumbers numbers(graph);
  const AliasGroups groups = FindAliasGroups(graph, in_place);
  const ArenaPlan arena = PlanArena(ComputeLifetimes(graph, groups));

  ExecutionPlan plan;
  plan.tensors = PlanTensors(graph, groups, arena);
  plan.memory = {arena.arena_bytes, arena.lower_bound_bytes, CountConstantBytes(graph)};
  for (const Layer& layer : graph.layers) {
    if (!IsStep(layer)) continue;
    PlannedStep step;
    step.layer = layer.id;
    step.backend = backend_of_layer[layer.id];
    step.first_operand = static_cast<std::uint32_t>(plan.operands.size());
    step.num_inputs = static_cast<std::uint32_t>(layer.inputs.size());
    step.num_outputs = static_cast<std::uint32_t>(layer.outputs.size());
    for (const OutputSlot input : layer.inputs) plan.operands.push_back(numbers.Get(input));
    for (std::uint32_t output = 0; output < step.num_outputs; ++output) {
      plan.operands.push_back(numbers.Get({layer.id, output}));
    }
    plan.steps.push_back(step);
  }
  for (const LayerId input : graph.inputs) plan.inputs.push_back(numbers.Get({input, 0}));
  for (const LayerId output : graph.outputs) {
    plan.outputs.push_back(numbers.Get(graph.layers[output].inputs[0]));
  }
  return plan;
}

}  // namespace backplane
