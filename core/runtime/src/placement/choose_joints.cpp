
#include "placement/joint.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace backplane {

namespace {

// Each choice looks at all of a tensor's views and readers again. What so many concats and splits
// meet that this would be done more often than here is left as it is: so many looks for each tensor
// with its views, however large it is, keep the time linear in the network.
constexpr std::uint64_t kMaxLooks = std::uint64_t{1} << 16U;

// What groups cost together: bytes, and then what TransferCost compares behind them.
struct JointCost {
  std::uint64_t bytes = 0;
  std::uint64_t preference = 0;
  std::uint64_t work = 0;

  bool operator<(const JointCost& other) const {
    return std::tie(bytes, preference, work) < std::tie(other.bytes, other.preference, other.work);
  }
};

class Chooser {
 public:
  Chooser(const Graph& graph, const TensorNumbers& numbers,
          const std::vector<std::uint32_t>& backend_of_layer, const NetworkKinds& kinds,
          GroupPlanner& planner, ViewGroups& groups, std::vector<PlannedGroup>& planned)
      : graph_(graph),
        numbers_(numbers),
        backend_of_layer_(backend_of_layer),
        kinds_(kinds),
        planner_(planner),
        groups_(groups),
        planned_(planned) {
    for (const PlannedGroup& one : planned) beside_all_.push_back(one.shape);
    for (const ViewGroup& group : groups.groups) {
      is_output_.push_back(
          std::any_of(group.readers.begin(), group.readers.end(),
                      [](const GroupReader& reader) { return reader.backend == kOfApplication; }));
    }
  }

  // A change is made only when it costs less, so the second look ends what the first began.
  std::set<LayerId> Choose(const std::set<LayerId>& apart) {
    std::vector<LayerId> layers;
    for (const Layer& layer : graph_.layers) {
      if (HasParts(layer) && apart.count(layer.id) == 0 && CanBeJoined(MakeJoint(layer))) {
        layers.push_back(layer.id);
      }
    }
    RemoveCrowded(layers);
    for (int look = 0; look < 2; ++look) {
      for (const LayerId layer : layers) Improve(graph_.layers[layer]);
    }
    std::set<LayerId> joined;
    for (const auto& [layer, kind] : kind_of_layer_) joined.insert(layer);
    return joined;
  }

 private:
  void RemoveCrowded(std::vector<LayerId>& layers) const {
    std::vector<std::uint64_t> looks(groups_.groups.size(), 0);
    for (const LayerId layer : layers) {
      for (const std::uint32_t group : FindGroups(MakeJoint(graph_.layers[layer]))) ++looks[group];
    }
    for (std::size_t group = 0; group < looks.size(); ++group) {
      std::uint64_t size = groups_.groups[group].members.size();
      for (const GroupReader& reader : groups_.groups[group].readers) size += reader.layers.size();
      looks[group] *= size;
    }
    const auto is_crowded = [&](LayerId layer) {
      const auto groups = FindGroups(MakeJoint(graph_.layers[layer]));
      return std::any_of(groups.begin(), groups.end(),
                         [&](std::uint32_t group) { return looks[group] > kMaxLooks; });
    };
    layers.erase(std::remove_if(layers.begin(), layers.end(), is_crowded), layers.end());
  }

  // What no kind changes: constants, inputs, views, tensors given twice, outputs.
  bool CanBeJoined(const Joint& joint) const {
    if (GetGroupOf(joint.whole).is_constant) return false;
    std::set<std::uint32_t> seen;
    return std::all_of(joint.parts.begin(), joint.parts.end(), [&](OutputSlot part) {
      const ViewGroup& group = GetGroupOf(part);
      const bool is_owner = groups_.member_of_tensor[numbers_.Get(part)] == 0;
      const bool is_input = graph_.layers[part.layer].type == LayerType::kInput;
      const bool is_output = is_output_[GetGroup(part)] != 0;
      return seen.insert(numbers_.Get(part)).second && !group.is_constant && is_owner &&
             !is_input && !is_output;
    });
  }

  void Improve(const Layer& layer) {
    const Joint joint = MakeJoint(layer);
    const KindIndex before = GetKind(layer.id);
    KindIndex best = before;
    JointCost least;
    bool is_known = Evaluate(layer, joint, before, least);
    for (KindIndex kind = 0; kind < kinds_.table.kinds.size(); ++kind) {
      if (kind == before || !SuitsJoint(joint, kind)) continue;
      JointCost cost;
      if (!Evaluate(layer, joint, kind, cost)) continue;
      if (is_known && !(cost < least)) continue;
      is_known = true;
      least = cost;
      best = kind;
    }
    JointCost apart;
    if (before != kNoKind && Evaluate(layer, joint, kNoKind, apart) && apart < least) {
      best = kNoKind;
    }
    Evaluate(layer, joint, best, least);
  }

  // Plans all groups of a layer as if it were joined in a kind, or apart for kNoKind.
  // False: it is not possible; the plans are then of no use until the next call.
  bool Evaluate(const Layer& layer, const Joint& joint, KindIndex kind, JointCost& cost) {
    SetKind(layer.id, kind);
    cost = {};
    if (kind == kNoKind) cost.bytes = GetTensor(graph_, joint.whole).GetSizeBytes();
    bool is_possible = true;
    for (const std::uint32_t group : FindGroups(joint)) {
      is_possible = Replan(group) && is_possible;
      const TransferCost& of_group = planned_[group].plan.cost;
      const OutputSlot owner = groups_.groups[group].members[0].slot;
      cost.bytes += of_group.moves * GetTensor(graph_, owner).GetSizeBytes();
      cost.preference += of_group.preference;
      cost.work += of_group.work;
    }
    return is_possible && (kind == kNoKind || ArePartsUnlent(joint, kind));
  }

  bool Replan(std::uint32_t group) {
    ViewGroup& changed = groups_.groups[group];
    changed.readers = MakeReaders(changed);
    DescribeReaders(changed, planned_[group].shape);
    planned_[group].shape.kind_of_root = GetKindOfRoot(changed);
    DescribeRequirements(graph_, backend_of_layer_, kinds_, changed, planned_[group].shape);
    const GroupPlan* plan = planner_.Plan(planned_[group].shape);
    if (plan != nullptr) planned_[group].plan = *plan;
    return plan != nullptr;
  }

  // The readers of a group, with those that are joined apart from the others.
  std::vector<GroupReader> MakeReaders(const ViewGroup& group) const {
    std::vector<GroupReader> readers;
    for (const GroupReader& reader : group.readers) {
      for (const LayerId layer : reader.layers) {
        const KindIndex kind = GetKind(layer);
        const auto known = std::find_if(readers.begin(), readers.end(), [&](const auto& one) {
          return reader.backend != kOfApplication && one.member == reader.member &&
                 one.backend == reader.backend && one.kind == kind;
        });
        if (known == readers.end()) {
          readers.push_back({reader.member, reader.backend, {layer}, kind});
        } else {
          known->layers.push_back(layer);
        }
      }
    }
    return readers;
  }

  KindIndex GetKindOfRoot(const ViewGroup& group) const {
    return GetKind(group.members[0].slot.layer);
  }

  // Known layout, dense, and either bound in a row by the core or made by the factory.
  bool SuitsJoint(const Joint& joint, KindIndex kind) const {
    if (!IsDense(joint.whole, kind)) return false;
    std::int64_t begin = 0;
    for (const OutputSlot part : joint.parts) {
      const TensorInfo& info = GetTensor(graph_, part);
      if (!IsDense(part, kind)) return false;
      const PartGeometry geometry =
          FindGeometry(GetTensor(graph_, joint.whole), info, joint.axis, begin);
      begin += info.shape[joint.axis];
      const std::uint64_t alignment = GetRequirements(part, kind).alignment_bytes;
      const TensorKind& one = kinds_.table.kinds[kind];
      const bool is_bound =
          IsBound(one) && geometry.is_contiguous && geometry.offset_bytes % alignment == 0;
      if (!is_bound && one.properties.supports_sub_tensors == 0) return false;
    }
    return true;
  }

  // No other kind imports a part: it would have to be dense where it lies.
  bool ArePartsUnlent(const Joint& joint, KindIndex kind) const {
    return std::all_of(joint.parts.begin(), joint.parts.end(), [&](OutputSlot part) {
      const auto& steps = planned_[GetGroup(part)].plan.steps;
      return std::none_of(steps.begin(), steps.end(), [&](const GroupStep& step) {
        return step.kind == GroupStepKind::kTransfer &&
               step.strategy == TransferStrategy::kImport && step.from.kind == kind;
      });
    });
  }

  std::set<std::uint32_t> FindGroups(const Joint& joint) const {
    std::set<std::uint32_t> found{GetGroup(joint.whole)};
    for (const OutputSlot part : joint.parts) found.insert(GetGroup(part));
    return found;
  }

  std::uint32_t GetGroup(OutputSlot slot) const {
    return groups_.group_of_tensor[numbers_.Get(slot)];
  }
  const ViewGroup& GetGroupOf(OutputSlot slot) const { return groups_.groups[GetGroup(slot)]; }

  std::size_t GetPlace(OutputSlot slot, KindIndex kind) const {
    return groups_.member_of_tensor[numbers_.Get(slot)] * kinds_.table.kinds.size() + kind;
  }
  bool IsDense(OutputSlot slot, KindIndex kind) const {
    return beside_all_[GetGroup(slot)].is_dense[GetPlace(slot, kind)] != 0;
  }
  const MemoryRequirements& GetRequirements(OutputSlot slot, KindIndex kind) const {
    return beside_all_[GetGroup(slot)].requirements[GetPlace(slot, kind)];
  }

  KindIndex GetKind(LayerId layer) const {
    const auto found = kind_of_layer_.find(layer);
    return found != kind_of_layer_.end() ? found->second : kNoKind;
  }
  void SetKind(LayerId layer, KindIndex kind) {
    if (kind == kNoKind) {
      kind_of_layer_.erase(layer);
    } else {
      kind_of_layer_[layer] = kind;
    }
  }

  const Graph& graph_;
  const TensorNumbers& numbers_;
  const std::vector<std::uint32_t>& backend_of_layer_;
  const NetworkKinds& kinds_;
  GroupPlanner& planner_;
  ViewGroups& groups_;
  std::vector<PlannedGroup>& planned_;
  std::vector<GroupShape> beside_all_;          // as if every layer were run
  std::vector<std::uint8_t> is_output_;         // for each group, whether the application gets it
  std::map<LayerId, KindIndex> kind_of_layer_;  // of joined ones
};

}  // namespace

std::set<LayerId> ChooseJoints(const Graph& graph, const TensorNumbers& numbers,
                               const std::vector<std::uint32_t>& backend_of_layer,
                               const NetworkKinds& kinds, GroupPlanner& planner,
                               const std::set<LayerId>& apart, ViewGroups& groups,
                               std::vector<PlannedGroup>& planned) {
  return Chooser(graph, numbers, backend_of_layer, kinds, planner, groups, planned).Choose(apart);
}

}  // namespace backplane
