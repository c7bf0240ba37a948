#include "bridging/join_parts.hpp"

#include "bridging/part_geometry.hpp"
#include "memory/tensor_numbers.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace backplane {

namespace {

LayerAliasing GetAliasing(const Layer& layer) {
  const LayerTypeInfo* row = FindLayerTypeInfo(layer.type);
  return row != nullptr ? row->aliasing : LayerAliasing::kNone;
}

std::uint32_t GetAxis(const Layer& layer) {
  if (layer.type == LayerType::kConcat) {
    return static_cast<const ConcatDescriptor&>(*layer.descriptor).axis;
  }
  return static_cast<const SplitDescriptor&>(*layer.descriptor).axis;
}

// A concat or a split: the whole, and its parts in their order along the axis.
struct Joint {
  OutputSlot whole;
  std::vector<OutputSlot> parts;
  std::uint32_t axis = 0;
};

class Joiner {
 public:
  Joiner(BridgedNetwork& network, const NetworkKinds& kinds,
         const std::vector<std::string>& backend_ids)
      : network_(network),
        graph_(network.graph),
        kinds_(kinds),
        backend_ids_(backend_ids),
        numbers_(network.graph),
        readers_(numbers_.GetCount()) {
    for (const Layer& layer : graph_.layers) {
      for (const OutputSlot input : layer.inputs) readers_[numbers_.Get(input)].push_back(layer.id);
    }
  }

  std::vector<PlacedMove> Join() {
    std::vector<PlacedMove> moves;
    for (const Layer& layer : graph_.layers) {
      const LayerAliasing aliasing = GetAliasing(layer);
      const bool has_parts = aliasing == LayerAliasing::kJoin || aliasing == LayerAliasing::kParts;
      if (!has_parts || network_.roles[layer.id] != LayerRole::kStep) continue;
      const Joint joint = MakeJoint(layer);
      std::string reason = FindReason(layer, joint);
      if (reason.empty()) {
        Apply(layer, joint);
      } else {
        moves.push_back({GetDisplayName(layer.name, layer.id), layer.type,
                         backend_ids_[network_.backend_of_layer[layer.id]],
                         GetTensor(graph_, joint.whole).GetSizeBytes(), std::move(reason)});
      }
    }
    return moves;
  }

 private:
  static Joint MakeJoint(const Layer& layer) {
    Joint joint;
    joint.axis = GetAxis(layer);
    std::vector<OutputSlot> outputs;
    for (std::uint32_t i = 0; i < layer.outputs.size(); ++i) outputs.push_back({layer.id, i});
    const bool is_concat = GetAliasing(layer) == LayerAliasing::kJoin;
    joint.whole = is_concat ? outputs[0] : layer.inputs[0];
    joint.parts = is_concat ? layer.inputs : outputs;
    return joint;
  }

  // The condition that does not hold, or "".
  std::string FindReason(const Layer& layer, const Joint& joint) {
    const bool is_concat = GetAliasing(layer) == LayerAliasing::kJoin;
    std::string reason = FindReasonOfWhole(joint.whole, is_concat);
    std::set<std::uint32_t> seen;
    std::int64_t begin = 0;
    for (const OutputSlot part : joint.parts) {
      if (!reason.empty()) return reason;
      reason = seen.insert(numbers_.Get(part)).second ? FindReasonOfPart(joint, part, is_concat)
                                                      : "one tensor is given twice";
      if (reason.empty()) reason = FindReasonOfPlace(joint, part, begin);
      begin += GetTensor(graph_, part).shape[joint.axis];
    }
    return reason;
  }

  std::string FindReasonOfWhole(OutputSlot whole, bool is_concat) const {
    const KindIndex kind = GetKind(whole);
    if (kind == kNoKind) return "it splits a constant";
    if (!HasKnownLayout(kinds_.table.kinds[kind])) return GetId(kind) + " has an opaque layout";
    if (IsPadded(whole)) return GetId(kind) + " wants padding";
    const bool is_imported = graph_.layers[whole.layer].type == LayerType::kImport;
    return !is_concat && is_imported ? "it splits a tensor in memory of another kind" : "";
  }

  std::string FindReasonOfPart(const Joint& joint, OutputSlot part, bool is_concat) const {
    const std::string name = DescribeMaker(part);
    const KindIndex kind = GetKind(part);
    if (kind == kNoKind) return name + " is a constant";
    if (kind != GetKind(joint.whole)) {
      return name + " lies in " + GetId(kind) + ", the whole in " + GetId(GetKind(joint.whole));
    }
    if (IsPadded(part)) return GetId(kind) + " wants padding for " + name;
    for (const LayerId reader : readers_[numbers_.Get(part)]) {
      const LayerType type = graph_.layers[reader].type;
      if (type == LayerType::kOutput) return name + " is an output of the network";
      if (type == LayerType::kImport) return name + " is imported by another kind";
    }
    return is_concat ? FindReasonOfMaker(part, name) : "";
  }

  std::string FindReasonOfMaker(OutputSlot part, const std::string& name) const {
    const Layer& maker = graph_.layers[part.layer];
    if (maker.type == LayerType::kInput) return name + " is an input of the network";
    if (maker.type == LayerType::kImport) return name + " lies in memory of another kind";
    if (network_.roles[maker.id] == LayerRole::kView) return name + " is a view";
    const bool is_part = network_.part_of_tensor[numbers_.Get(part)] != kNoPart;
    return is_part ? name + " lies in another tensor already" : "";
  }

  std::string FindReasonOfPlace(const Joint& joint, OutputSlot part, std::int64_t begin) {
    const TensorInfo& whole = GetTensor(graph_, joint.whole);
    const TensorInfo& info = GetTensor(graph_, part);
    const PartGeometry geometry = FindGeometry(whole, info, joint.axis, begin);
    if (CanBind(joint.whole, part, geometry)) return "";
    return FindReasonOfSubTensor(whole, part, geometry);
  }

  // Such a part is bound by the core to a place inside of the whole.
  bool CanBind(OutputSlot whole, OutputSlot part, const PartGeometry& geometry) const {
    const TensorKind& kind = kinds_.table.kinds[GetKind(part)];
    const std::uint64_t alignment = network_.requirements[numbers_.Get(part)].alignment_bytes;
    return IsBound(kind) && geometry.is_contiguous && geometry.offset_bytes % alignment == 0 &&
           !IsSubTensor(whole);
  }

  std::string FindReasonOfSubTensor(const TensorInfo& whole, OutputSlot part,
                                    const PartGeometry& geometry) const {
    const KindIndex index = GetKind(part);
    const TensorKind& kind = kinds_.table.kinds[index];
    const std::string name = DescribeMaker(part);
    if (kind.properties.supports_sub_tensors == 0) {
      const char* const what = geometry.is_contiguous ? " is not aligned" : " is not contiguous";
      return "the place of " + name + what + ", and " + kind.id + " has no sub-tensors";
    }
    if (!IsMetByOwnerAlone(part, kind.owner)) {
      return "another backend meets " + name + ", which would not be dense";
    }
    if (HasBoundInside(part)) return "what lies in " + name + " is bound to a place";
    const PluginObject<ITensorHandleFactory>& factory = *kinds_.objects.factories[index];
    return MakesSubTensor(factory, whole, GetTensor(graph_, part), geometry)
               ? ""
               : kind.id + " makes no sub-tensor for " + name;
  }

  static bool MakesSubTensor(const PluginObject<ITensorHandleFactory>& factory,
                             const TensorInfo& whole, const TensorInfo& part,
                             const PartGeometry& geometry) {
    TensorHandleArgs args;
    args.info = &whole;
    auto made = factory.Call<&ITensorHandleFactory::CreateTensorHandle>(args);
    const PluginObject<ITensorHandle> parent(std::move(made.GetOrThrow()), factory.GetOrigin());
    if (!parent) return false;
    SubTensorHandleArgs sub_args;
    sub_args.parent = parent.Share().get();
    sub_args.info = &part;
    sub_args.origin = geometry.origin.data();
    auto sub = factory.Call<&ITensorHandleFactory::CreateSubTensorHandle>(sub_args);
    const PluginObject<ITensorHandle> handle(std::move(sub.GetOrThrow()), factory.GetOrigin());
    return static_cast<bool>(handle);
  }

  bool IsMetByOwnerAlone(OutputSlot part, std::uint32_t owner) const {
    const auto is_owners = [&](LayerId layer) {
      return network_.roles[layer] != LayerRole::kStep ||
             network_.backend_of_layer[layer] == owner ||
             network_.backend_of_layer[layer] == kCoreBackend;
    };
    const auto& readers = readers_[numbers_.Get(part)];
    return is_owners(part.layer) && std::all_of(readers.begin(), readers.end(), is_owners);
  }

  // Views and parts of it that would no longer be contiguous.
  bool HasBoundInside(OutputSlot slot) const {
    const std::uint32_t tensor = numbers_.Get(slot);
    const bool has_view =
        std::any_of(readers_[tensor].begin(), readers_[tensor].end(),
                    [&](LayerId reader) { return network_.roles[reader] == LayerRole::kView; });
    return has_view ||
           std::any_of(network_.parts.begin(), network_.parts.end(), [&](const TensorPart& part) {
             return part.parent == tensor && !part.is_sub_tensor;
           });
  }

  void Apply(const Layer& layer, const Joint& joint) {
    network_.roles[layer.id] = LayerRole::kParts;
    const TensorInfo& whole = GetTensor(graph_, joint.whole);
    std::int64_t begin = 0;
    for (const OutputSlot slot : joint.parts) {
      const TensorInfo& info = GetTensor(graph_, slot);
      const PartGeometry geometry = FindGeometry(whole, info, joint.axis, begin);
      begin += info.shape[joint.axis];
      TensorPart part;
      part.tensor = numbers_.Get(slot);
      part.parent = numbers_.Get(joint.whole);
      part.origin = geometry.origin;
      part.offset_bytes = geometry.offset_bytes;
      part.is_sub_tensor = !CanBind(joint.whole, slot, geometry);
      network_.part_of_tensor[part.tensor] = static_cast<std::uint32_t>(network_.parts.size());
      network_.parts.push_back(std::move(part));
    }
  }

  bool IsSubTensor(OutputSlot slot) const {
    const std::uint32_t part = network_.part_of_tensor[numbers_.Get(slot)];
    return part != kNoPart && network_.parts[part].is_sub_tensor;
  }
  bool IsPadded(OutputSlot slot) const {
    return network_.requirements[numbers_.Get(slot)].size_bytes !=
           GetTensor(graph_, slot).GetSizeBytes();
  }
  KindIndex GetKind(OutputSlot slot) const { return network_.kind_of_tensor[numbers_.Get(slot)]; }
  const std::string& GetId(KindIndex kind) const { return kinds_.table.kinds[kind].id; }
  std::string DescribeMaker(OutputSlot slot) const {
    return GetDisplayName(graph_.layers[slot.layer].name, slot.layer);
  }

  BridgedNetwork& network_;
  const Graph& graph_;
  const NetworkKinds& kinds_;
  const std::vector<std::string>& backend_ids_;
  const TensorNumbers numbers_;
  std::vector<std::vector<LayerId>> readers_;  // of each tensor
};

}  // namespace

std::vector<PlacedMove> JoinParts(BridgedNetwork& network, const NetworkKinds& kinds,
                                  const std::vector<std::string>& backend_ids) {
  return Joiner(network, kinds, backend_ids).Join();
}

}  // namespace backplane
