#include "execution/execution_plan.hpp"

#include "graph/tensor_numbers.hpp"
#include "memory/arena_plan.hpp"
#include "memory/constant_memory.hpp"
#include "memory/tensor_lifetimes.hpp"

#include <algorithm>

namespace backplane {

namespace {

/// Places the tensors of one network.
class ExecutionPlanner {
 public:
  ExecutionPlanner(const BridgedNetwork& network, const KindTable& table,
                   const std::vector<InPlaceUse>& in_place)
      : network_(network),
        table_(table),
        numbers_(network.graph),
        groups_(FindAliasGroups(network, in_place)),
        offsets_(groups_.owners.size()),
        shown_(groups_.tensors.size()),
        contiguous_(groups_.tensors.size()),
        views_of_(groups_.tensors.size()) {
    FollowSources();
    for (std::uint32_t tensor = 0; tensor < groups_.tensors.size(); ++tensor) {
      if (groups_.tensors[tensor].kind != AliasKind::kView) continue;
      views_of_[shown_[tensor]].push_back(tensor);
    }
    plan_.arenas.resize(table.num_arenas);
    plan_.memory.arenas.resize(table.num_arenas);
  }

  ExecutionPlan Plan() {
    PlanArenas();
    PlanTensors();
    PlanSteps();
    plan_.inputs = PlanInputs(network_, table_, groups_);
    plan_.outputs = PlanOutputs(network_, table_, groups_);
    AddUses(plan_.inputs);
    AddUses(plan_.outputs);
    plan_.memory.constants_bytes = CountConstantBytes(network_.graph);
    return std::move(plan_);
  }

 private:
  std::uint32_t GetArena(std::uint32_t tensor) const {
    const KindIndex kind = network_.kind_of_tensor[tensor];
    return kind == kNoKind ? kNoArena : table_.kinds[kind].arena;
  }

  void PlanArenas() {
    const std::vector<TensorLifetime> lifetimes = ComputeLifetimes(network_, groups_);
    for (std::uint32_t arena = 0; arena < plan_.arenas.size(); ++arena) {
      plan_.arenas[arena].alignment_bytes = FindAlignment(arena);
      PlanOne(arena, lifetimes);
    }
  }

  std::uint64_t FindAlignment(std::uint32_t arena) const {
    // Memory managers are asked for what their factories want, and no more.
    std::uint64_t alignment = arena == 0 ? kTensorAlignmentBytes : 1;
    for (std::uint32_t tensor = 0; tensor < groups_.tensors.size(); ++tensor) {
      if (GetArena(groups_.owners[groups_.tensors[tensor].group]) != arena) continue;
      alignment = std::max(alignment, network_.requirements[tensor].alignment_bytes);
    }
    return alignment;
  }

  void PlanOne(std::uint32_t arena, const std::vector<TensorLifetime>& lifetimes) {
    std::vector<TensorLifetime> here;
    std::vector<std::size_t> group_of;
    for (std::size_t group = 0; group < lifetimes.size(); ++group) {
      if (GetArena(groups_.owners[group]) != arena) continue;
      here.push_back(lifetimes[group]);
      group_of.push_back(group);
    }
    const ArenaPlan planned = PlanArena(here, plan_.arenas[arena].alignment_bytes);
    for (std::size_t i = 0; i < here.size(); ++i) offsets_[group_of[i]] = planned.offsets[i];
    plan_.arenas[arena].size_bytes = planned.arena_bytes;
    plan_.memory.arenas[arena].arena_bytes = planned.arena_bytes;
    plan_.memory.arenas[arena].lower_bound_bytes = planned.lower_bound_bytes;
    plan_.memory.arena_bytes += planned.arena_bytes;
    plan_.memory.lower_bound_bytes += planned.lower_bound_bytes;
  }

  void PlanTensors() {
    plan_.tensors.reserve(groups_.tensors.size());
    for (const Layer& layer : network_.graph.layers) {
      for (const TensorInfo& output : layer.outputs) {
        plan_.tensors.push_back(PlanTensor(static_cast<std::uint32_t>(plan_.tensors.size())));
        plan_.tensors.back().info = &output;
      }
    }
    for (const Layer& layer : network_.graph.layers) {
      if (layer.type != LayerType::kConstant) continue;
      plan_.tensors[numbers_.Get({layer.id, 0})].constant_data = GetConstantData(layer);
    }
    for (std::uint32_t tensor = 0; tensor < plan_.tensors.size(); ++tensor) {
      if (plan_.tensors[tensor].place != TensorPlace::kConstant) continue;
      const std::uint32_t owner = groups_.owners[groups_.tensors[tensor].group];
      plan_.tensors[tensor].constant_data = plan_.tensors[owner].constant_data;
    }
  }

  PlannedTensor PlanTensor(std::uint32_t tensor) const {
    const AliasedTensor& aliased = groups_.tensors[tensor];
    PlannedTensor planned;
    planned.kind = network_.kind_of_tensor[tensor];
    planned.part = FindSubTensor(network_, tensor);
    if (planned.kind == kNoKind) {
      planned.place = TensorPlace::kConstant;
    } else if (IsImported(tensor)) {
      planned.place = TensorPlace::kImported;
    } else if (planned.part != nullptr) {
      planned.place = TensorPlace::kSubTensor;
    } else if (!IsBound(table_.kinds[planned.kind])) {
      planned.place = TensorPlace::kOwnMemory;
    } else {
      planned.arena = GetArena(tensor);
      planned.offset_bytes = offsets_[aliased.group] + aliased.offset_bytes;
    }
    if (planned.place != TensorPlace::kConstant) planned.range = FindRange(tensor);
    return planned;
  }

  PlannedRange FindRange(std::uint32_t tensor) const {
    const std::uint32_t whole = contiguous_[tensor];
    const AliasedTensor& aliased = groups_.tensors[whole];
    PlannedRange range;
    range.space = GetArena(groups_.owners[aliased.group]);
    if (range.space == kNoArena) range.space = table_.num_arenas + aliased.group;
    range.begin_bytes = offsets_[aliased.group] + aliased.offset_bytes;
    range.end_bytes = range.begin_bytes + network_.requirements[whole].size_bytes;
    return range;
  }

  void FollowSources() {
    VisitSourcesFirst(groups_.tensors, [this](std::uint32_t tensor) {
      const AliasedTensor& aliased = groups_.tensors[tensor];
      const bool is_owner = aliased.source == tensor;
      const bool is_spread = FindSubTensor(network_, tensor) != nullptr ||
                             (!is_owner && contiguous_[aliased.source] != aliased.source);
      shown_[tensor] = aliased.kind == AliasKind::kView ? shown_[aliased.source] : tensor;
      contiguous_[tensor] = is_spread ? contiguous_[aliased.source] : tensor;
    });
  }

  // Views of what is imported are imported with it.
  bool IsImported(std::uint32_t tensor) const {
    return groups_.tensors[shown_[tensor]].kind == AliasKind::kImported;
  }

  void PlanSteps() {
    for (const Layer& layer : network_.graph.layers) {
      if (network_.roles[layer.id] != LayerRole::kStep) continue;
      PlannedStep step;
      step.layer = layer.id;
      step.backend = network_.backend_of_layer[layer.id];
      step.first_operand = static_cast<std::uint32_t>(plan_.operands.size());
      step.num_inputs = static_cast<std::uint32_t>(layer.inputs.size());
      for (const OutputSlot input : layer.inputs) AddOperand(step, numbers_.Get(input));
      AddOutputs(layer, step);
      plan_.steps.push_back(step);
    }
  }

  void AddOperand(const PlannedStep& step, std::uint32_t tensor) {
    const KindIndex kind = network_.kind_of_tensor[tensor];
    plan_.operands.push_back({tensor, kind != kNoKind && table_.kinds[kind].owner == step.backend});
  }

  void AddUses(std::vector<PlannedBinding>& bindings) const {
    std::vector<BoundMember*> members(plan_.tensors.size(), nullptr);
    for (PlannedBinding& binding : bindings) {
      for (BoundMember& member : binding.members) members[member.tensor] = &member;
    }
    for (std::uint32_t i = 0; i < plan_.operands.size(); ++i) {
      BoundMember* member = members[plan_.operands[i].tensor];
      if (member != nullptr) member->operands.push_back(i);
    }
    for (std::uint32_t i = 0; i < plan_.outputs.size(); ++i) {
      BoundMember* member = members[plan_.outputs[i].tensor];
      if (member != nullptr && plan_.outputs[i].reason != CopyReason::kNone) {
        member->outputs.push_back(i);
      }
    }
  }

  // An Import layer imports for the views of its output too.
  void AddOutputs(const Layer& layer, PlannedStep& step) {
    for (std::uint32_t output = 0; output < layer.outputs.size(); ++output) {
      AddOperand(step, numbers_.Get({layer.id, output}));
    }
    if (layer.type == LayerType::kImport) {
      for (const std::uint32_t view : views_of_[numbers_.Get({layer.id, 0})]) {
        AddOperand(step, view);
      }
    }
    step.num_outputs =
        static_cast<std::uint32_t>(plan_.operands.size()) - step.first_operand - step.num_inputs;
  }

  const BridgedNetwork& network_;
  const KindTable& table_;
  const TensorNumbers numbers_;
  const AliasGroups groups_;
  std::vector<std::uint64_t> offsets_;  // for each group
  std::vector<std::uint32_t> shown_;    // what each tensor is a view of; itself when it is none
  // The elements of a sub-tensor are spread over the tensor of which it is a part. For each tensor,
  // the one over which it is spread, else itself.
  std::vector<std::uint32_t> contiguous_;
  std::vector<std::vector<std::uint32_t>> views_of_;  // of each tensor, also by way of other views
  ExecutionPlan plan_;
};

}  // namespace

ExecutionPlan PlanExecution(const BridgedNetwork& network, const KindTable& table,
                            const std::vector<InPlaceUse>& in_place) {
  return ExecutionPlanner(network, table, in_place).Plan();
}

}  // namespace backplane
