#include "execution/binding_plan.hpp"

#include "graph/tensor_numbers.hpp"

#include <algorithm>
#include <set>

namespace backplane {

namespace {

class BindingPlanner {
 public:
  BindingPlanner(const BridgedNetwork& network, const KindTable& table, const AliasGroups& groups)
      : network_(network),
        table_(table),
        groups_(groups),
        numbers_(network.graph),
        tensors_of_group_(groups.owners.size()) {
    for (const Layer& layer : network.graph.layers) {
      for (std::size_t i = 0; i < layer.outputs.size(); ++i) maker_.push_back(layer.id);
    }
    for (std::uint32_t tensor = 0; tensor < groups.tensors.size(); ++tensor) {
      tensors_of_group_[groups.tensors[tensor].group].push_back(tensor);
    }
    MeasureChains();
  }

  PlannedBinding PlanInput(LayerId input) {
    const std::uint32_t tensor = numbers_.Get({input, 0});
    PlannedBinding binding = Plan(tensor, tensor, MemoryAccess::kRead);
    binding.is_read_at_end = CountOutputs(tensor) > 0;
    return binding;
  }

  // What other layers read of an output is read in the application's memory too.
  PlannedBinding PlanOutput(LayerId output) {
    const std::uint32_t tensor = numbers_.Get(network_.graph.layers[output].inputs[0]);
    PlannedBinding binding = Plan(tensor, chains_[tensor].shown, MemoryAccess::kReadWrite);
    binding.is_read_at_end = CountOutputs(tensor) > 1;
    return binding;
  }

 private:
  // What a tensor leads to, source by source.
  struct Chain {
    std::uint32_t shown = 0;  // the first that is no view
    std::uint32_t whole = 0;  // the first that is neither a view nor a part
    std::uint32_t depth = 0;  // how many sources there are
  };

  void MeasureChains() {
    chains_.resize(groups_.tensors.size());
    VisitSourcesFirst(groups_.tensors, [this](std::uint32_t tensor) {
      const AliasedTensor& aliased = groups_.tensors[tensor];
      const Chain of_source = chains_[aliased.source];
      const bool is_view = aliased.kind == AliasKind::kView;
      const bool is_inside = is_view || aliased.kind == AliasKind::kPart;
      chains_[tensor].shown = is_view ? of_source.shown : tensor;
      chains_[tensor].whole = is_inside ? of_source.whole : tensor;
      chains_[tensor].depth = aliased.source != tensor ? of_source.depth + 1 : 0;
    });
  }

  /// The outputs of the network in the memory of a tensor.
  std::size_t CountOutputs(std::uint32_t tensor) const {
    const auto& outputs = network_.graph.outputs;
    const auto count = std::count_if(outputs.begin(), outputs.end(), [&](LayerId output) {
      const std::uint32_t shown = numbers_.Get(network_.graph.layers[output].inputs[0]);
      return groups_.tensors[shown].group == groups_.tensors[tensor].group;
    });
    return static_cast<std::size_t>(count);
  }

  PlannedBinding Plan(std::uint32_t tensor, std::uint32_t base, MemoryAccess access) {
    PlannedBinding binding;
    binding.tensor = tensor;
    binding.kind = network_.kind_of_tensor[tensor];
    binding.access = access;
    binding.reason = FindReason(base, access);
    if (binding.reason != CopyReason::kNone) return binding;
    bases_.insert(base);
    binding.import_sources = table_.kinds[binding.kind].properties.import_sources;
    binding.members = FindMembers(base);
    binding.requirements.size_bytes = GetSizeBytes(base);
    binding.requirements.alignment_bytes = FindAlignment(base);
    return binding;
  }

  CopyReason FindReason(std::uint32_t base, MemoryAccess access) const {
    const LayerType maker = network_.graph.layers[maker_[base]].type;
    const bool is_output = access != MemoryAccess::kRead;
    const bool is_computed = maker != LayerType::kInput && maker != LayerType::kConstant;
    if (is_output && !is_computed) return CopyReason::kNotComputed;
    if (groups_.tensors[base].kind == AliasKind::kImported) return CopyReason::kBorrowed;
    if (groups_.tensors[base].kind == AliasKind::kPart) return CopyReason::kPart;
    const TensorKind& kind = table_.kinds[network_.kind_of_tensor[base]];
    if (kind.properties.import_sources == 0) return CopyReason::kNoImport;
    if (network_.requirements[base].size_bytes != GetSizeBytes(base) || !HasKnownLayout(kind)) {
      return CopyReason::kPadded;
    }
    return is_output && bases_.count(base) != 0 ? CopyReason::kTwoOutputs : CopyReason::kNone;
  }

  // All that lies with the base without being written over it: views and parts, and theirs. The
  // base itself is neither.
  std::vector<BoundMember> FindMembers(std::uint32_t base) const {
    std::vector<BoundMember> members{{base, 0, nullptr, {}, {}}};
    for (const std::uint32_t tensor : tensors_of_group_[groups_.tensors[base].group]) {
      if (tensor == base || chains_[tensor].whole != base) continue;
      members.push_back({tensor,
                         groups_.tensors[tensor].offset_bytes - groups_.tensors[base].offset_bytes,
                         FindSubTensor(network_, tensor),
                         {},
                         {}});
    }
    // Parents before what is made from them: a parent is nearer to the base.
    std::stable_sort(members.begin(), members.end(),
                     [&](const BoundMember& a, const BoundMember& b) {
                       return chains_[a.tensor].depth < chains_[b.tensor].depth;
                     });
    return members;
  }

  // Others that import the memory further want their alignment too, and parts at their places.
  std::uint64_t FindAlignment(std::uint32_t base) const {
    std::uint64_t alignment = 1;
    for (const std::uint32_t tensor : tensors_of_group_[groups_.tensors[base].group]) {
      if (FindSubTensor(network_, tensor) != nullptr) continue;
      alignment = std::max(alignment, network_.requirements[tensor].alignment_bytes);
    }
    return alignment;
  }

  std::uint64_t GetSizeBytes(std::uint32_t tensor) const {
    const Layer& maker = network_.graph.layers[maker_[tensor]];
    return maker.outputs[tensor - numbers_.Get({maker.id, 0})].GetSizeBytes();
  }

  const BridgedNetwork& network_;
  const KindTable& table_;
  const AliasGroups& groups_;
  const TensorNumbers numbers_;
  std::vector<LayerId> maker_;  // of each tensor
  std::vector<std::vector<std::uint32_t>> tensors_of_group_;
  std::vector<Chain> chains_;      // of each tensor
  std::set<std::uint32_t> bases_;  // that are bound already
};

}  // namespace

const char* GetReasonText(CopyReason reason) {
  switch (reason) {
#define BACKPLANE_COPY_REASON(name, text) \
  case CopyReason::k##name:               \
    return text;
#include "execution/copy_reasons.def"
#undef BACKPLANE_COPY_REASON
  }
  return "";
}

std::vector<PlannedBinding> PlanInputs(const BridgedNetwork& network, const KindTable& table,
                                       const AliasGroups& groups) {
  BindingPlanner planner(network, table, groups);
  std::vector<PlannedBinding> bindings;
  for (const LayerId input : network.graph.inputs) bindings.push_back(planner.PlanInput(input));
  return bindings;
}

std::vector<PlannedBinding> PlanOutputs(const BridgedNetwork& network, const KindTable& table,
                                        const AliasGroups& groups) {
  BindingPlanner planner(network, table, groups);
  std::vector<PlannedBinding> bindings;
  for (const LayerId output : network.graph.outputs) bindings.push_back(planner.PlanOutput(output));
  return bindings;
}

void PlanInPlace(const std::vector<OverwrittenTensor>& tensors, std::vector<PlannedBinding>& inputs,
                 std::vector<PlannedBinding>& outputs) {
  const auto find = [](const std::vector<PlannedBinding>& bindings, std::uint32_t tensor) {
    const auto found =
        std::find_if(bindings.begin(), bindings.end(), [&](const PlannedBinding& binding) {
          return binding.tensor == tensor && binding.reason == CopyReason::kNone &&
                 !binding.is_read_at_end && binding.members.size() == 1;
        });
    return found != bindings.end() ? static_cast<std::uint32_t>(found - bindings.begin())
                                   : kNoBinding;
  };
  for (const OverwrittenTensor& tensor : tensors) {
    const std::uint32_t input = find(inputs, tensor.input);
    const std::uint32_t output = find(outputs, tensor.output);
    if (input == kNoBinding || output == kNoBinding) continue;
    if (inputs[input].members[0].operands.size() != 1) continue;
    inputs[input].in_place_with = output;
    outputs[output].in_place_with = input;
  }
}

}  // namespace backplane
