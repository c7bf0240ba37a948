#include "least_bytes.hpp"

#include "bridge_check.hpp"
#include "kind_wishes.hpp"
#include "least_moves.hpp"
#include "placement/joint.hpp"
#include "placement/view_groups.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

namespace bench {

using namespace backplane;

namespace {

using Tensor = std::pair<LayerId, std::uint32_t>;

constexpr std::uint64_t kNoWay = std::numeric_limits<std::uint64_t>::max();

Tensor GetOwner(const Graph& graph, OutputSlot slot) {
  const OutputSlot owner = FindOrigin(graph, slot);
  return {owner.layer, owner.index};
}

// A concat or a split, and the tensors whose ways depend on what becomes of it.
struct JointOfNetwork {
  LayerId layer = 0;
  std::uint64_t bytes = 0;       // that its own work moves
  std::vector<KindIndex> kinds;  // in which it need not be run
  std::set<Tensor> tensors;
};

// Joints that share tensors, directly or by way of others.
struct JointFamily {
  std::vector<JointOfNetwork> joints;
  std::set<Tensor> tensors;
};

class Search {
 public:
  explicit Search(const PlacedNetwork& network)
      : graph_(network.graph),
        backend_of_layer_(network.backend_of_layer),
        table_(network.kinds.table),
        wishes_(FindWishes(network.kinds)) {
    first_joining_ = static_cast<std::uint32_t>(table_.usable.size());
    for (KindIndex kind = 0; kind < table_.kinds.size(); ++kind) table_.usable.push_back({kind});
  }

  std::uint64_t Find() {
    const std::vector<JointFamily> families = FindFamilies();
    std::set<Tensor> in_families;
    std::uint64_t sum = 0;
    for (const JointFamily& family : families) {
      in_families.insert(family.tensors.begin(), family.tensors.end());
      sum += Require(TryChoices(family, 0));
    }
    for (const Layer& layer : graph_.layers) {
      if (IsView(layer) || layer.type == LayerType::kConstant) continue;
      for (std::uint32_t i = 0; i < layer.outputs.size(); ++i) {
        if (in_families.count({layer.id, i}) == 0) sum += Require(FindBytes({layer.id, i}));
      }
    }
    return sum;
  }

 private:
  static std::uint64_t Require(std::uint64_t bytes) {
    if (bytes == kNoWay) throw std::runtime_error("a tensor cannot get to who reads it");
    return bytes;
  }

  PlacedCase GetCase() const {
    return {graph_, backend_of_layer_, table_, wishes_, first_joining_};
  }

  std::uint64_t FindBytes(const Tensor& tensor) const {
    const OutputSlot slot = {tensor.first, tensor.second};
    if (graph_.layers[slot.layer].type == LayerType::kConstant) return 0;
    const auto least = FindLeastMoves(GetCase(), slot);
    return least ? least->moves * GetTensor(graph_, slot).GetSizeBytes() : kNoWay;
  }

  // All choices for the joints from `next` on; those before are chosen.
  std::uint64_t TryChoices(const JointFamily& family, std::size_t next) {
    if (next == family.joints.size()) return SumOf(family);
    const JointOfNetwork& joint = family.joints[next];
    std::uint64_t least = TryChoices(family, next + 1);
    if (least != kNoWay) least += joint.bytes;
    for (const KindIndex kind : joint.kinds) {
      const std::uint32_t backend = backend_of_layer_[joint.layer];
      const LayerType type = graph_.layers[joint.layer].type;
      // As if a backend that has this kind alone ran it, which asks for no padding.
      backend_of_layer_[joint.layer] = first_joining_ + kind;
      graph_.layers[joint.layer].type = LayerType::kPreCompiled;
      least = std::min(least, TryChoices(family, next + 1));
      backend_of_layer_[joint.layer] = backend;
      graph_.layers[joint.layer].type = type;
    }
    return least;
  }

  std::uint64_t SumOf(const JointFamily& family) const {
    std::uint64_t sum = 0;
    for (const Tensor& tensor : family.tensors) {
      const std::uint64_t bytes = FindBytes(tensor);
      if (bytes == kNoWay) return kNoWay;
      sum += bytes;
    }
    return sum;
  }

  std::vector<JointFamily> FindFamilies() const {
    std::vector<JointFamily> families;
    for (const Layer& layer : graph_.layers) {
      if (!HasParts(layer)) continue;
      JointFamily merged = {{Describe(layer)}, {}};
      merged.tensors = merged.joints[0].tensors;
      std::vector<JointFamily> others;
      for (JointFamily& family : families) {
        if (ShareTensors(family, merged)) {
          merged.joints.insert(merged.joints.end(), family.joints.begin(), family.joints.end());
          merged.tensors.insert(family.tensors.begin(), family.tensors.end());
        } else {
          others.push_back(std::move(family));
        }
      }
      others.push_back(std::move(merged));
      families = std::move(others);
    }
    return families;
  }

  static bool ShareTensors(const JointFamily& a, const JointFamily& b) {
    return std::any_of(a.tensors.begin(), a.tensors.end(),
                       [&](const Tensor& tensor) { return b.tensors.count(tensor) != 0; });
  }

  JointOfNetwork Describe(const Layer& layer) const {
    const Joint joint = MakeJoint(layer);
    JointOfNetwork described;
    described.layer = layer.id;
    described.bytes = GetTensor(graph_, joint.whole).GetSizeBytes();
    described.tensors.insert(GetOwner(graph_, joint.whole));
    for (const OutputSlot part : joint.parts) described.tensors.insert(GetOwner(graph_, part));
    if (described.tensors.size() != joint.parts.size() + 1) return described;  // given twice
    for (KindIndex kind = 0; kind < table_.kinds.size(); ++kind) {
      if (Suits(joint, kind)) described.kinds.push_back(kind);
    }
    return described;
  }

  bool Suits(const Joint& joint, KindIndex kind) const {
    return table_.kinds[kind].properties.layout == TensorLayout::kKnown &&
           IsUnpadded(joint.whole, kind) &&
           std::all_of(joint.parts.begin(), joint.parts.end(), [&](OutputSlot part) {
             const LayerType maker = graph_.layers[part.layer].type;
             return maker != LayerType::kConstant && maker != LayerType::kInput &&
                    IsUnpadded(part, kind);
           });
  }
  bool IsUnpadded(OutputSlot slot, KindIndex kind) const {
    return GetWantedBytes(GetCase(), slot, kind) == GetTensor(graph_, slot).GetSizeBytes();
  }

  Graph graph_;
  std::vector<std::uint32_t> backend_of_layer_;
  KindTable table_;
  const std::vector<KindWish> wishes_;
  std::uint32_t first_joining_ = 0;  // of the backends that stand for joining, one for each kind
};

}  // namespace

std::uint64_t FindLeastBytes(const PlacedNetwork& network) {
  return Search(network).Find();
}

}  // namespace bench
