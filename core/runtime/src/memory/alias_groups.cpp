#include "memory/alias_groups.hpp"

#include "memory/tensor_numbers.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace backplane {

namespace {

constexpr LayerId kNever = std::numeric_limits<LayerId>::max();

LayerAliasing GetAliasing(const Layer& layer) {
  const LayerTypeInfo* row = FindLayerTypeInfo(layer.type);
  return row != nullptr ? row->aliasing : LayerAliasing::kNone;
}

bool IsView(const Layer& layer) {
  return GetAliasing(layer) == LayerAliasing::kView;
}

bool HaveOneShapeAndType(const TensorInfo& a, const TensorInfo& b) {
  return a.shape == b.shape && a.data_type == b.data_type;
}

/// Finds groups in two passes: views first, because what is read through a view must be known
/// before anything is overwritten.
class GroupFinder {
 public:
  explicit GroupFinder(const Graph& graph) : graph_(graph), numbers_(graph) {
    FindViews();
    FindLastReaders();
  }

  AliasGroups Find(const std::vector<InPlaceUse>& in_place) {
    for (const Layer& layer : graph_.layers) {
      const bool is_allowed = in_place[layer.id] == InPlaceUse::kAllowed;
      if (is_allowed && GetAliasing(layer) == LayerAliasing::kInPlace) FindInPlace(layer);
    }
    NumberGroups();
    return std::move(groups_);
  }

 private:
  void FindViews() {
    groups_.tensors.resize(numbers_.GetCount());
    viewed_.resize(numbers_.GetCount());
    for (const Layer& layer : graph_.layers) {
      for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
        const std::uint32_t tensor = numbers_.Get({layer.id, index});
        groups_.tensors[tensor].source = tensor;
        viewed_[tensor] = {layer.id, index};
        if (!IsView(layer)) continue;
        const std::uint32_t source = numbers_.Get(layer.inputs[0]);
        groups_.tensors[tensor] = {0, source, AliasKind::kView};
        viewed_[tensor] = viewed_[source];
      }
    }
  }

  // The last layer that reads the bytes of a tensor that is no view, through views too.
  void FindLastReaders() {
    last_reader_.resize(numbers_.GetCount(), 0);
    for (const Layer& layer : graph_.layers) {
      if (IsView(layer)) continue;
      for (const OutputSlot input : layer.inputs) {
        LayerId& last = last_reader_[numbers_.Get(GetViewed(input))];
        last = layer.type == LayerType::kOutput ? kNever : std::max(last, layer.id);
      }
    }
  }

  void FindInPlace(const Layer& layer) {
    if (layer.outputs.size() != 1) return;
    for (const OutputSlot input : layer.inputs) {
      if (!IsSuitable(layer, input)) continue;
      const std::uint32_t output = numbers_.Get({layer.id, 0});
      groups_.tensors[output] = {0, numbers_.Get(input), AliasKind::kInPlace};
      return;
    }
  }

  bool IsSuitable(const Layer& layer, OutputSlot input) const {
    const OutputSlot viewed = GetViewed(input);
    const LayerType origin = graph_.layers[viewed.layer].type;
    if (origin == LayerType::kInput || origin == LayerType::kConstant) return false;
    if (last_reader_[numbers_.Get(viewed)] != layer.id) return false;
    if (!HaveOneShapeAndType(GetTensor(graph_, input), layer.outputs[0])) return false;
    // The same bytes under another shape would be read in another order than they are written.
    return std::all_of(layer.inputs.begin(), layer.inputs.end(), [&](OutputSlot other) {
      return other == input || GetViewed(other) != viewed;
    });
  }

  // A source comes before what lies there.
  void NumberGroups() {
    for (std::uint32_t tensor = 0; tensor < groups_.tensors.size(); ++tensor) {
      AliasedTensor& aliased = groups_.tensors[tensor];
      if (aliased.kind != AliasKind::kOwner) {
        aliased.group = groups_.tensors[aliased.source].group;
        continue;
      }
      aliased.group = static_cast<std::uint32_t>(groups_.owners.size());
      groups_.owners.push_back(tensor);
    }
  }

  OutputSlot GetViewed(OutputSlot slot) const { return viewed_[numbers_.Get(slot)]; }

  const Graph& graph_;
  const TensorNumbers numbers_;
  std::vector<OutputSlot> viewed_;    // for each tensor, the one whose bytes it shows
  std::vector<LayerId> last_reader_;  // for each tensor that is no view
  AliasGroups groups_;
};

}  // namespace

AliasGroups FindAliasGroups(const Graph& graph, const std::vector<InPlaceUse>& in_place) {
  return GroupFinder(graph).Find(in_place);
}

bool IsStep(const Layer& layer) {
  return IsRunByBackend(layer) && !IsView(layer);
}

}  // namespace backplane
