#include "placement/join_parts.hpp"

#include "placement/joint.hpp"
#include "placement/kind_table.hpp"
#include "placement/shared_memory.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace backplane {
namespace {

/// Whether the parts of a layer can lie in their whole, by the conditions of JoinParts.
///
/// Ownership: all that it is given must outlive this.
class PartConditions {
 public:
  PartConditions(const BridgedNetwork& network, const NetworkKinds& kinds,
                 const SharedMemory& memory)
      : network_(network), graph_(network.graph), kinds_(kinds), memory_(memory) {}

  /// The condition that does not hold, or "".
  /// Errors: DiagnosticException with kBackendThrew.
  std::string FindReason(const Joint& joint) const;

  /// Whether the core binds a part to a place inside of the whole.
  bool CanBind(OutputSlot whole, OutputSlot part, const PartGeometry& geometry) const;

 private:
  std::string FindReasonOfWhole(const Joint& joint) const;
  std::string FindReasonOfPart(const Joint& joint, OutputSlot part) const;
  std::string FindReasonOfReaders(OutputSlot part, const std::string& name) const;
  std::string FindReasonOfMaker(OutputSlot part, const std::string& name) const;
  std::string FindReasonOfPlace(const Joint& joint, OutputSlot part, std::int64_t begin) const;
  std::string FindReasonOfSubTensor(const TensorInfo& whole, OutputSlot part,
                                    const PartGeometry& geometry) const;
  bool IsMetByOwnerAlone(OutputSlot part, std::uint32_t owner) const;
  bool IsPadded(OutputSlot slot) const;
  KindIndex GetKind(OutputSlot slot) const;
  const std::string& GetId(KindIndex kind) const { return kinds_.table.kinds[kind].id; }
  std::string GetMakerName(OutputSlot slot) const;

  const BridgedNetwork& network_;
  const Graph& graph_;
  const NetworkKinds& kinds_;
  const SharedMemory& memory_;
};

bool MakesSubTensor(const PluginObject<ITensorHandleFactory>& factory, const TensorInfo& whole,
                    const TensorInfo& part, const PartGeometry& geometry) {
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

std::string PartConditions::FindReason(const Joint& joint) const {
  std::string reason = FindReasonOfWhole(joint);
  std::set<std::uint32_t> seen;
  std::int64_t begin = 0;
  for (const OutputSlot part : joint.parts) {
    if (!reason.empty()) return reason;
    reason = seen.insert(memory_.GetNumber(part)).second ? FindReasonOfPart(joint, part)
                                                         : "one tensor is given twice";
    if (reason.empty()) reason = FindReasonOfPlace(joint, part, begin);
    begin += GetTensor(graph_, part).shape[joint.axis];
  }
  return reason;
}

std::string PartConditions::FindReasonOfWhole(const Joint& joint) const {
  const KindIndex kind = GetKind(joint.whole);
  if (kind == kNoKind) return "it splits a constant";
  if (!HasKnownLayout(kinds_.table.kinds[kind])) return GetId(kind) + " has an opaque layout";
  if (IsPadded(joint.whole)) return GetId(kind) + " wants padding";
  const OutputSlot source = memory_.FollowViews(joint.whole);
  const bool is_imported = graph_.layers[source.layer].type == LayerType::kImport;
  return is_imported ? "it splits a tensor in memory of another kind" : "";
}

std::string PartConditions::FindReasonOfPart(const Joint& joint, OutputSlot part) const {
  const std::string name = GetMakerName(part);
  const KindIndex kind = GetKind(part);
  if (kind == kNoKind) return name + " is a constant";
  if (kind != GetKind(joint.whole)) {
    return name + " lies in " + GetId(kind) + ", the whole in " + GetId(GetKind(joint.whole));
  }
  if (IsPadded(part)) return GetId(kind) + " wants padding for " + name;
  std::string reason = FindReasonOfReaders(part, name);
  return reason.empty() && joint.is_concat ? FindReasonOfMaker(part, name) : reason;
}

std::string PartConditions::FindReasonOfReaders(OutputSlot part, const std::string& name) const {
  if (memory_.IsReadByOutput(part)) return name + " is an output of the network";
  return memory_.IsReadByImport(part) ? name + " is imported by another kind" : "";
}

std::string PartConditions::FindReasonOfMaker(OutputSlot part, const std::string& name) const {
  const Layer& maker = graph_.layers[part.layer];
  if (maker.type == LayerType::kInput) return name + " is an input of the network";
  if (maker.type == LayerType::kImport) return name + " lies in memory of another kind";
  if (network_.roles[maker.id] == LayerRole::kView) return name + " is a view";
  return memory_.IsPart(part) ? name + " lies in another tensor already" : "";
}

std::string PartConditions::FindReasonOfPlace(const Joint& joint, OutputSlot part,
                                              std::int64_t begin) const {
  const TensorInfo& whole = GetTensor(graph_, joint.whole);
  const TensorInfo& info = GetTensor(graph_, part);
  const PartGeometry geometry = FindGeometry(whole, info, joint.axis, begin);
  if (CanBind(joint.whole, part, geometry)) return "";
  return FindReasonOfSubTensor(whole, part, geometry);
}

// The memory in which the whole lies begins where every alignment holds.
bool PartConditions::CanBind(OutputSlot whole, OutputSlot part,
                             const PartGeometry& geometry) const {
  const std::uint64_t offset_bytes = memory_.GetOffset(whole) + geometry.offset_bytes;
  return IsBound(kinds_.table.kinds[GetKind(part)]) && geometry.is_contiguous &&
         !memory_.IsSubTensor(whole) && offset_bytes % memory_.FindAlignment(part) == 0;
}

std::string PartConditions::FindReasonOfSubTensor(const TensorInfo& whole, OutputSlot part,
                                                  const PartGeometry& geometry) const {
  const KindIndex index = GetKind(part);
  const TensorKind& kind = kinds_.table.kinds[index];
  const std::string name = GetMakerName(part);
  if (kind.properties.supports_sub_tensors == 0) {
    const char* const what = geometry.is_contiguous ? " is not aligned" : " is not contiguous";
    return "the place of " + name + what + ", and " + kind.id + " has no sub-tensors";
  }
  if (!IsMetByOwnerAlone(part, kind.owner)) {
    return "another backend meets " + name + ", which would not be dense";
  }
  if (memory_.HasBoundInside(part)) return "what lies in " + name + " is bound to a place";
  const PluginObject<ITensorHandleFactory>& factory = *kinds_.objects.factories[index];
  return MakesSubTensor(factory, whole, GetTensor(graph_, part), geometry)
             ? ""
             : kind.id + " makes no sub-tensor for " + name;
}

bool PartConditions::IsMetByOwnerAlone(OutputSlot part, std::uint32_t owner) const {
  const auto is_owners = [&](LayerId layer) {
    const std::uint32_t backend = network_.backend_of_layer[layer];
    return network_.roles[layer] != LayerRole::kStep || backend == owner || backend == kCoreBackend;
  };
  const std::vector<LayerId>& readers = memory_.GetReaders(part);
  return is_owners(part.layer) && std::all_of(readers.begin(), readers.end(), is_owners);
}

bool PartConditions::IsPadded(OutputSlot slot) const {
  return network_.requirements[memory_.GetNumber(slot)].size_bytes !=
         GetTensor(graph_, slot).GetSizeBytes();
}

KindIndex PartConditions::GetKind(OutputSlot slot) const {
  return network_.kind_of_tensor[memory_.GetNumber(slot)];
}

std::string PartConditions::GetMakerName(OutputSlot slot) const {
  return GetDisplayName(graph_.layers[slot.layer].name, slot.layer);
}

void Apply(const Graph& graph, const Joint& joint, const PartConditions& conditions,
           SharedMemory& memory) {
  const TensorInfo& whole = GetTensor(graph, joint.whole);
  std::int64_t begin = 0;
  for (const OutputSlot part : joint.parts) {
    const TensorInfo& info = GetTensor(graph, part);
    const PartGeometry geometry = FindGeometry(whole, info, joint.axis, begin);
    begin += info.shape[joint.axis];
    memory.Add(part, joint.whole, geometry, !conditions.CanBind(joint.whole, part, geometry));
  }
}

}  // namespace

std::vector<PlacedMove> JoinParts(BridgedNetwork& network, const NetworkKinds& kinds,
                                  const std::vector<std::string>& backend_ids) {
  const Graph& graph = network.graph;
  SharedMemory memory(network);
  const PartConditions conditions(network, kinds, memory);
  std::vector<PlacedMove> moves;
  for (const Layer& layer : graph.layers) {
    if (!HasParts(layer) || network.roles[layer.id] != LayerRole::kStep) continue;
    const Joint joint = MakeJoint(layer);
    std::string reason = conditions.FindReason(joint);
    if (reason.empty()) {
      Apply(graph, joint, conditions, memory);
      network.roles[layer.id] = LayerRole::kParts;
    } else {
      moves.push_back({GetDisplayName(layer.name, layer.id), layer.type,
                       backend_ids[network.backend_of_layer[layer.id]],
                       GetTensor(graph, joint.whole).GetSizeBytes(), std::move(reason)});
    }
  }
  return moves;
}

}  // namespace backplane
