#include "placement/bridge_network.hpp"

#include "graph/tensor_numbers.hpp"
#include "placement/group_planner.hpp"
#include "placement/join_parts.hpp"
#include "placement/joint.hpp"
#include "placement/view_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace backplane {
namespace {

/// Finds the reader of a tensor's group that a layer is when it reads the tensor.
class ReaderIndex {
 public:
  ReaderIndex(const TensorNumbers& numbers, const ViewGroups& groups) {
    for (const ViewGroup& group : groups.groups) {
      for (std::uint32_t reader = 0; reader < group.readers.size(); ++reader) {
        const std::uint32_t tensor = numbers.Get(group.members[group.readers[reader].member].slot);
        for (const LayerId layer : group.readers[reader].layers) {
          readers_.emplace(MakeKey(layer, tensor), reader);
        }
      }
    }
  }

  /// For a tensor that the layer reads: the index among the readers of the tensor's group.
  std::uint32_t Find(LayerId layer, std::uint32_t tensor) const {
    return readers_.at(MakeKey(layer, tensor));
  }

 private:
  static std::uint64_t MakeKey(LayerId layer, std::uint32_t tensor) {
    return std::uint64_t{layer} << 32U | tensor;
  }

  std::unordered_map<std::uint64_t, std::uint32_t> readers_;
};

/// Writes the new graph, layer by layer in the order of the old one. What leads to a place is added
/// when the first layer that reads there is.
class Writer {
 public:
  Writer(const Graph& graph, const std::vector<std::uint32_t>& backend_of_layer,
         const KindTable& table, const BridgeRecord& record)
      : old_(graph),
        backend_of_layer_(backend_of_layer),
        table_(table),
        record_(record),
        numbers_(graph),
        readers_(numbers_, record.groups),
        slots_(record.groups.groups.size()) {
    new_.graph.name = graph.name;
    steps_.reserve(record.planned.size());
    for (const PlannedGroup& group : record.planned) {
      auto& steps = steps_.emplace_back();
      for (const GroupStep& step : group.plan.steps) steps.emplace(step.to, &step);
    }
  }

  BridgedNetwork Write() {
    for (const Layer& layer : old_.layers) {
      if (layer.type == LayerType::kConstant || IsViewOfConstant(layer)) {
        CopyConstant(layer);
      } else if (!IsView(layer)) {
        CopyLayer(layer);
      }
    }
    for (const LayerId input : old_.inputs) new_.graph.inputs.push_back(new_id_[input]);
    for (const LayerId output : old_.outputs) new_.graph.outputs.push_back(new_id_[output]);
    new_.part_of_tensor.assign(new_.kind_of_tensor.size(), kNoPart);
    return std::move(new_);
  }

  /// The new id of each old layer that was kept as it is.
  std::map<LayerId, LayerId> TakeNewIds() { return std::move(new_id_); }

 private:
  std::uint32_t GetGroup(OutputSlot slot) const {
    return record_.groups.group_of_tensor[numbers_.Get(slot)];
  }
  bool IsViewOfConstant(const Layer& layer) const {
    return IsView(layer) && record_.groups.groups[GetGroup(layer.inputs[0])].is_constant;
  }

  LayerId Append(Layer layer, std::uint32_t backend, LayerRole role) {
    layer.id = static_cast<LayerId>(new_.graph.layers.size());
    new_.backend_of_layer.push_back(backend);
    new_.roles.push_back(role);
    new_.graph.layers.push_back(std::move(layer));
    return new_.graph.layers.back().id;
  }

  void AppendTensor(KindIndex kind, const MemoryRequirements& requirements) {
    new_.kind_of_tensor.push_back(kind);
    new_.requirements.push_back(requirements);
  }

  void CopyConstant(const Layer& layer) {
    Layer copy = layer;
    for (OutputSlot& input : copy.inputs) input = constants_.at(numbers_.Get(input));
    const bool is_view = IsView(layer);
    const LayerId id =
        Append(std::move(copy), kCoreBackend, is_view ? LayerRole::kView : LayerRole::kEndpoint);
    MemoryRequirements requirements;
    requirements.size_bytes = layer.outputs[0].GetSizeBytes();
    AppendTensor(kNoKind, requirements);
    constants_[numbers_.Get({layer.id, 0})] = {id, 0};
  }

  void CopyLayer(const Layer& layer) {
    Layer copy = layer;
    for (OutputSlot& input : copy.inputs) input = FindInput(layer, input);
    const bool is_step = IsRunByBackend(layer);
    const LayerId id = Append(std::move(copy), is_step ? backend_of_layer_[layer.id] : kCoreBackend,
                              is_step ? LayerRole::kStep : LayerRole::kEndpoint);
    new_id_[layer.id] = id;
    for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
      const std::uint32_t group = GetGroup({layer.id, index});
      const GroupPlace& root = record_.planned[group].plan.root;
      AppendTensor(root.kind, GetRequirements(group, root));
      slots_[group][root] = {id, index};
    }
  }

  OutputSlot FindInput(const Layer& layer, OutputSlot input) {
    const std::uint32_t tensor = numbers_.Get(input);
    const auto constant = constants_.find(tensor);
    if (constant != constants_.end()) return constant->second;
    const std::uint32_t group = record_.groups.group_of_tensor[tensor];
    const std::uint32_t reader = readers_.Find(layer.id, tensor);
    return GetSlot(group, record_.planned[group].plan.of_reader[reader]);
  }

  const MemoryRequirements& GetRequirements(std::uint32_t group, const GroupPlace& place) const {
    return record_.planned[group]
        .shape.requirements[place.member * table_.kinds.size() + place.kind];
  }

  OutputSlot GetSlot(std::uint32_t group, GroupPlace place) {
    auto& slots = slots_[group];
    std::vector<const GroupStep*> missing;
    auto known = slots.find(place);
    for (; known == slots.end(); known = slots.find(place)) {
      missing.push_back(steps_[group].at(place));
      place = missing.back()->from;
    }
    OutputSlot slot = known->second;
    for (; !missing.empty(); missing.pop_back()) {
      slot = AppendStep(group, *missing.back(), slot);
      slots[missing.back()->to] = slot;
    }
    return slot;
  }

  OutputSlot AppendStep(std::uint32_t group, const GroupStep& step, OutputSlot from) {
    const ViewGroup& view_group = record_.groups.groups[group];
    const TensorInfo& info = GetTensor(old_, view_group.members[step.to.member].slot);
    Layer layer = step.kind == GroupStepKind::kTransfer ? MakeTransfer(step, from)
                                                        : MakeReshape(view_group, step, info);
    layer.inputs = {from};
    layer.outputs = {info};
    const LayerRole role = step.kind == GroupStepKind::kView ? LayerRole::kView : LayerRole::kStep;
    const LayerId id = Append(std::move(layer), step.backend, role);
    AppendTensor(step.to.kind, GetRequirements(group, step.to));
    return {id, 0};
  }

  Layer MakeTransfer(const GroupStep& step, OutputSlot from) const {
    const Layer& maker = new_.graph.layers[from.layer];
    Layer layer;
    layer.type = step.strategy == TransferStrategy::kImport ? LayerType::kImport : LayerType::kCopy;
    layer.name = GetDisplayName(maker.name, maker.id);
    if (from.index != 0) layer.name += ":" + std::to_string(from.index);
    layer.name += " to " + table_.kinds[step.to.kind].id;
    layer.descriptor = std::make_shared<NoDescriptor>();
    return layer;
  }

  Layer MakeReshape(const ViewGroup& group, const GroupStep& step, const TensorInfo& info) const {
    // A step back from a view is another view.
    const std::uint32_t later = std::max(step.from.member, step.to.member);
    const Layer& view = old_.layers[group.members[later].view_layer];
    auto descriptor = std::make_shared<ReshapeDescriptor>();
    descriptor->rank = info.shape.rank;
    for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
      descriptor->dims[axis] = info.shape[axis];
    }
    Layer layer;
    layer.type = view.type;
    layer.name = view.name;
    layer.descriptor = std::move(descriptor);
    return layer;
  }

  const Graph& old_;
  const std::vector<std::uint32_t>& backend_of_layer_;
  const KindTable& table_;
  const BridgeRecord& record_;
  const TensorNumbers numbers_;
  const ReaderIndex readers_;
  std::vector<std::map<GroupPlace, const GroupStep*>> steps_;  // for each group, by where they lead
  std::vector<std::map<GroupPlace, OutputSlot>> slots_;        // for each group
  std::map<std::uint32_t, OutputSlot> constants_;              // by the old tensor
  std::map<LayerId, LayerId> new_id_;
  BridgedNetwork new_;
};

}  // namespace

BridgeResult BridgeNetwork(const Graph& graph, const std::vector<std::uint32_t>& backend_of_layer,
                           const NetworkKinds& kinds, MemoryProtection protection,
                           const std::vector<std::string>& backend_ids, const JointChoice& choice) {
  BridgeResult result;
  GroupPlanner planner(kinds.table, protection);
  const TensorNumbers numbers(graph);
  result.record.groups = FindViewGroups(graph, numbers, backend_of_layer);
  result.record.planned =
      PlanGroups(graph, result.record.groups, backend_of_layer, kinds, planner, backend_ids);
  if (choice.is_made) {
    result.record.joined = ChooseJoints(graph, numbers, backend_of_layer, kinds, planner,
                                        choice.apart, result.record.groups, result.record.planned);
  }
  Writer writer(graph, backend_of_layer, kinds.table, result.record);
  result.network = writer.Write();
  result.record.new_ids = writer.TakeNewIds();
  return result;
}

BridgeResult BridgeAndJoin(const Graph& graph, const std::vector<std::uint32_t>& backend_of_layer,
                           const NetworkKinds& kinds, MemoryProtection protection,
                           const std::vector<std::string>& backend_ids,
                           std::vector<PlacedMove>& moves) {
  // In the networks of today one or two attempts are enough.
  constexpr int kMaxAttempts = 8;
  JointChoice choice;
  for (int attempt = 1;; ++attempt) {
    choice.is_made = attempt < kMaxAttempts;
    BridgeResult result =
        BridgeNetwork(graph, backend_of_layer, kinds, protection, backend_ids, choice);
    moves = JoinParts(result.network, kinds, backend_ids);
    const std::size_t num_apart = choice.apart.size();
    for (const LayerId layer : result.record.joined) {
      const LayerId new_id = result.record.new_ids.at(layer);
      if (result.network.roles[new_id] != LayerRole::kParts) choice.apart.insert(layer);
    }
    if (choice.apart.size() == num_apart) return result;
  }
}

}  // namespace backplane
