#include "memory/alias_groups.hpp"

#include "graph/layer_aliasing.hpp"
#include "graph/tensor_numbers.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace backplane {

namespace {

constexpr LayerId kNever = std::numeric_limits<LayerId>::max();

bool HaveOneShapeAndType(const TensorInfo& a, const TensorInfo& b) {
  return a.shape == b.shape && a.data_type == b.data_type;
}

/// Finds groups in two passes: first what lies together without being written over, because all
/// that is read there must be known before anything is overwritten.
class GroupFinder {
 public:
  explicit GroupFinder(const BridgedNetwork& network)
      : network_(network), graph_(network.graph), numbers_(network.graph) {
    LinkSources();
    FindRoots();
    FindLastReaders();
  }

  AliasGroups Find(const std::vector<InPlaceUse>& in_place) {
    for (const Layer& layer : graph_.layers) {
      const bool is_allowed = network_.roles[layer.id] == LayerRole::kStep &&
                              in_place[layer.id] == InPlaceUse::kAllowed;
      if (is_allowed && GetAliasing(layer) == LayerAliasing::kInPlace) FindInPlace(layer);
    }
    NumberGroups();
    return std::move(groups_);
  }

 private:
  void LinkSources() {
    groups_.tensors.resize(numbers_.GetCount());
    for (const Layer& layer : graph_.layers) {
      for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
        const std::uint32_t tensor = numbers_.Get({layer.id, index});
        groups_.tensors[tensor].source = tensor;
        if (network_.roles[layer.id] == LayerRole::kView) {
          Link(tensor, numbers_.Get(layer.inputs[0]), AliasKind::kView);
        } else if (layer.type == LayerType::kImport) {
          Link(tensor, numbers_.Get(layer.inputs[0]), AliasKind::kImported);
        }
      }
    }
    for (const TensorPart& part : network_.parts) Link(part.tensor, part.parent, AliasKind::kPart);
  }

  void Link(std::uint32_t tensor, std::uint32_t source, AliasKind kind) {
    groups_.tensors[tensor].source = source;
    groups_.tensors[tensor].kind = kind;
  }

  // The tensor in whose memory each one lies in the end.
  void FindRoots() {
    roots_.resize(groups_.tensors.size());
    is_imported_.resize(groups_.tensors.size());
    origin_.resize(groups_.tensors.size());
    for (const Layer& layer : graph_.layers) {
      for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
        origin_[numbers_.Get({layer.id, index})] = layer.type;
      }
    }
    VisitSourcesFirst(groups_.tensors, [this](std::uint32_t tensor) {
      const std::uint32_t source = groups_.tensors[tensor].source;
      roots_[tensor] = source == tensor ? tensor : roots_[source];
      if (groups_.tensors[tensor].kind == AliasKind::kImported) is_imported_[roots_[tensor]] = 1;
    });
  }

  void FindLastReaders() {
    last_reader_.resize(numbers_.GetCount(), 0);
    for (const Layer& layer : graph_.layers) {
      const bool is_output = layer.type == LayerType::kOutput;
      if (network_.roles[layer.id] != LayerRole::kStep && !is_output) continue;
      for (const OutputSlot input : layer.inputs) {
        LayerId& last = last_reader_[GetRoot(input)];
        last = is_output ? kNever : std::max(last, layer.id);
      }
    }
  }

  void FindInPlace(const Layer& layer) {
    if (layer.outputs.size() != 1) return;
    const std::uint32_t output = numbers_.Get({layer.id, 0});
    if (groups_.tensors[output].kind != AliasKind::kOwner) return;
    for (const OutputSlot input : layer.inputs) {
      if (!IsSuitable(layer, input)) continue;
      groups_.tensors[output].source = numbers_.Get(input);
      groups_.tensors[output].kind = AliasKind::kInPlace;
      return;
    }
  }

  bool IsSuitable(const Layer& layer, OutputSlot input) const {
    const std::uint32_t tensor = numbers_.Get(input);
    const std::uint32_t root = roots_[tensor];
    if (origin_[root] == LayerType::kInput || origin_[root] == LayerType::kConstant) return false;
    if (last_reader_[root] != layer.id || is_imported_[root] != 0) return false;
    if (network_.kind_of_tensor[tensor] != network_.kind_of_tensor[numbers_.Get({layer.id, 0})]) {
      return false;
    }
    if (LiesInPart(tensor)) return false;
    if (!HaveOneShapeAndType(GetTensor(graph_, input), layer.outputs[0])) return false;
    // The same bytes under another shape would be read in another order than they are written.
    return std::all_of(layer.inputs.begin(), layer.inputs.end(),
                       [&](OutputSlot other) { return other == input || GetRoot(other) != root; });
  }

  // There, no room is left for padding, and the place is aligned for the part alone.
  bool LiesInPart(std::uint32_t tensor) const {
    while (groups_.tensors[tensor].kind == AliasKind::kView)
      tensor = groups_.tensors[tensor].source;
    return groups_.tensors[tensor].kind == AliasKind::kPart;
  }

  // Sources can come behind what lies there: the output of a concat behind its inputs.
  void NumberGroups() {
    for (std::uint32_t tensor = 0; tensor < groups_.tensors.size(); ++tensor) {
      AliasedTensor& aliased = groups_.tensors[tensor];
      if (aliased.kind != AliasKind::kOwner) continue;
      aliased.group = static_cast<std::uint32_t>(groups_.owners.size());
      groups_.owners.push_back(tensor);
    }
    VisitSourcesFirst(groups_.tensors, [this](std::uint32_t tensor) {
      AliasedTensor& aliased = groups_.tensors[tensor];
      if (aliased.source == tensor) return;
      const AliasedTensor& source = groups_.tensors[aliased.source];
      const std::uint32_t part = network_.part_of_tensor[tensor];
      aliased.offset_bytes =
          source.offset_bytes + (part != kNoPart ? network_.parts[part].offset_bytes : 0);
      aliased.group = source.group;
    });
  }

  std::uint32_t GetRoot(OutputSlot slot) const { return roots_[numbers_.Get(slot)]; }

  const BridgedNetwork& network_;
  const Graph& graph_;
  const TensorNumbers numbers_;
  std::vector<std::uint32_t> roots_;       // without what is in place
  std::vector<std::uint8_t> is_imported_;  // for each root, whether another kind imports it
  std::vector<LayerType> origin_;          // the layer that makes each tensor
  std::vector<LayerId> last_reader_;       // for each root
  AliasGroups groups_;
};

}  // namespace

AliasGroups FindAliasGroups(const BridgedNetwork& network,
                            const std::vector<InPlaceUse>& in_place) {
  return GroupFinder(network).Find(in_place);
}

}  // namespace backplane
