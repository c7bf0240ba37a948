#include "bridge_check.hpp"

#include "graph/tensor_numbers.hpp"
#include "placement/view_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace backplane {

namespace {

bool IsTransfer(const Layer& layer) {
  return layer.type == LayerType::kCopy || layer.type == LayerType::kImport;
}

MemorySourceFlags GetShown(const TensorKind& kind) {
  const MemorySourceFlags mapped =
      kind.properties.supports_map_unmap != 0 ? ToFlags(MemorySource::kMalloc) : 0;
  return kind.properties.export_sources | mapped;
}

class Checker {
 public:
  Checker(const BridgedNetwork& network, const KindTable& table)
      : network_(network), graph_(network.graph), table_(table), numbers_(network.graph) {}

  void Check() {
    ASSERT_EQ(network_.backend_of_layer.size(), graph_.layers.size());
    ASSERT_EQ(network_.roles.size(), graph_.layers.size());
    ASSERT_EQ(network_.kind_of_tensor.size(), numbers_.GetCount());
    ASSERT_EQ(network_.requirements.size(), numbers_.GetCount());
    ASSERT_EQ(network_.part_of_tensor.size(), numbers_.GetCount());
    CheckOrder();
    for (const Layer& layer : graph_.layers) {
      SCOPED_TRACE(DescribeLayer(layer));
      switch (network_.roles[layer.id]) {
        case LayerRole::kEndpoint:
          CheckEndpoint(layer);
          break;
        case LayerRole::kView:
          CheckView(layer);
          break;
        case LayerRole::kStep:
        case LayerRole::kParts:
          CheckStep(layer);
          break;
      }
    }
  }

 private:
  void CheckOrder() const {
    std::set<std::string> names;
    for (std::size_t i = 0; i < graph_.layers.size(); ++i) {
      const Layer& layer = graph_.layers[i];
      ASSERT_EQ(layer.id, i);
      for (const OutputSlot input : layer.inputs) {
        ASSERT_LT(input.layer, i);
        ASSERT_LT(input.index, graph_.layers[input.layer].outputs.size());
      }
      EXPECT_TRUE(!IsTransfer(layer) || names.insert(layer.name).second)
          << "two layers are named " << layer.name;
    }
  }

  void CheckEndpoint(const Layer& layer) const {
    EXPECT_EQ(network_.backend_of_layer[layer.id], kCoreBackend);
    const bool is_constant = layer.type == LayerType::kConstant;
    EXPECT_TRUE(is_constant || layer.type == LayerType::kInput || layer.type == LayerType::kOutput);
    if (!layer.outputs.empty()) {
      EXPECT_EQ(KindOf({layer.id, 0}) == kNoKind, is_constant);
    }
  }

  void CheckView(const Layer& layer) const {
    ASSERT_TRUE(IsView(layer));
    const KindIndex kind = KindOf({layer.id, 0});
    ASSERT_EQ(kind, KindOf(layer.inputs[0]));
    if (kind == kNoKind) return;
    EXPECT_TRUE(IsDense(layer.inputs[0]));
    EXPECT_TRUE(IsDense({layer.id, 0}));
    const OutputSlot begin = FindViewed({layer.id, 0});
    const bool is_imported = graph_.layers[begin.layer].type == LayerType::kImport;
    EXPECT_TRUE(is_imported || table_.kinds[kind].properties.owns_memory == 0);
    ExpectAligned({layer.id, 0});
  }

  void CheckStep(const Layer& layer) const {
    if (IsTransfer(layer)) {
      ASSERT_EQ(layer.inputs.size(), 1U);
      ASSERT_EQ(layer.outputs.size(), 1U);
      EXPECT_TRUE(layer.outputs[0].shape == GetTensor(graph_, layer.inputs[0]).shape);
      if (layer.type == LayerType::kImport) {
        CheckImport(layer);
      } else {
        CheckCopy(layer);
      }
      return;
    }
    ASSERT_NE(network_.backend_of_layer[layer.id], kCoreBackend);
    for (const OutputSlot input : layer.inputs) ExpectUsable(layer, input);
    for (std::uint32_t i = 0; i < layer.outputs.size(); ++i) ExpectUsable(layer, {layer.id, i});
  }

  void ExpectUsable(const Layer& layer, OutputSlot slot) const {
    const auto& usable = table_.usable[network_.backend_of_layer[layer.id]];
    const KindIndex kind = KindOf(slot);
    if (kind == kNoKind) {
      const LayerType origin = graph_.layers[FindOrigin(graph_, slot).layer].type;
      EXPECT_EQ(origin, LayerType::kConstant);
      return;
    }
    EXPECT_NE(std::find(usable.begin(), usable.end(), kind), usable.end())
        << "it meets a tensor in " << table_.kinds[kind].id;
  }

  void CheckImport(const Layer& layer) const {
    const TensorKind& from = table_.kinds.at(KindOf(layer.inputs[0]));
    const TensorKind& to = table_.kinds.at(KindOf({layer.id, 0}));
    EXPECT_EQ(network_.backend_of_layer[layer.id], kCoreBackend);
    EXPECT_NE(from.properties.export_sources & to.properties.import_sources, 0U)
        << to.id << " imports nothing that " << from.id << " exports";
    EXPECT_TRUE(IsDense(layer.inputs[0]));
    EXPECT_TRUE(IsDense({layer.id, 0}));
    ExpectAligned({layer.id, 0});
  }

  void CheckCopy(const Layer& layer) const {
    const TensorKind& from = table_.kinds.at(KindOf(layer.inputs[0]));
    const TensorKind& to = table_.kinds.at(KindOf({layer.id, 0}));
    EXPECT_NE(from.id, to.id);
    const std::uint32_t backend = network_.backend_of_layer[layer.id];
    if (backend == kCoreBackend) {
      EXPECT_TRUE(from.properties.supports_map_unmap != 0 && to.properties.supports_map_unmap != 0);
      return;
    }
    const bool is_within = from.owner == backend && to.owner == backend &&
                           from.properties.copies_within_backend != 0 &&
                           to.properties.copies_within_backend != 0;
    const bool writes =
        from.owner == backend && (from.properties.copy_to_sources & GetShown(to)) != 0;
    const bool reads =
        to.owner == backend && (to.properties.copy_from_sources & GetShown(from)) != 0;
    EXPECT_TRUE(is_within || writes || reads)
        << "backend " << backend << " copies nothing from " << from.id << " to " << to.id;
  }

  // The core aligns what it places; other memory is as its own kind wanted it.
  void ExpectAligned(OutputSlot slot) const {
    OutputSlot begin = slot;
    while (network_.roles[begin.layer] == LayerRole::kView ||
           graph_.layers[begin.layer].type == LayerType::kImport) {
      begin = graph_.layers[begin.layer].inputs[0];
    }
    const bool is_given = graph_.layers[begin.layer].type == LayerType::kInput;
    if (is_given || table_.kinds.at(KindOf(begin)).properties.owns_memory == 0) return;
    EXPECT_GE(network_.requirements[numbers_.Get(begin)].alignment_bytes,
              network_.requirements[numbers_.Get(slot)].alignment_bytes);
  }

  OutputSlot FindViewed(OutputSlot slot) const {
    while (network_.roles[slot.layer] == LayerRole::kView) {
      slot = graph_.layers[slot.layer].inputs[0];
    }
    return slot;
  }
  bool IsDense(OutputSlot slot) const {
    return table_.kinds.at(KindOf(slot)).properties.layout == TensorLayout::kKnown &&
           network_.requirements[numbers_.Get(slot)].size_bytes ==
               GetTensor(graph_, slot).GetSizeBytes();
  }
  KindIndex KindOf(OutputSlot slot) const { return network_.kind_of_tensor[numbers_.Get(slot)]; }

  const BridgedNetwork& network_;
  const Graph& graph_;
  const KindTable& table_;
  const TensorNumbers numbers_;
};

// Layers that compute something, or give or take it.
std::vector<LayerId> FindOwn(const Graph& graph) {
  std::vector<LayerId> own;
  for (const Layer& layer : graph.layers) {
    if (!IsTransfer(layer) && !IsView(layer)) own.push_back(layer.id);
  }
  return own;
}

void ExpectSameComputation(const Graph& before, const Graph& after) {
  const std::vector<LayerId> old_layers = FindOwn(before);
  const std::vector<LayerId> new_layers = FindOwn(after);
  ASSERT_EQ(old_layers.size(), new_layers.size());
  std::map<LayerId, LayerId> old_of_new;
  for (std::size_t i = 0; i < old_layers.size(); ++i) {
    old_of_new[new_layers[i]] = old_layers[i];
    const Layer& old_layer = before.layers[old_layers[i]];
    const Layer& new_layer = after.layers[new_layers[i]];
    EXPECT_EQ(old_layer.name, new_layer.name);
    EXPECT_EQ(old_layer.type, new_layer.type);
    ASSERT_EQ(old_layer.inputs.size(), new_layer.inputs.size());
    for (std::size_t input = 0; input < old_layer.inputs.size(); ++input) {
      const OutputSlot was = FindOrigin(before, old_layer.inputs[input]);
      const OutputSlot is = FindOrigin(after, new_layer.inputs[input]);
      EXPECT_EQ(old_of_new.at(is.layer), was.layer);
      EXPECT_EQ(is.index, was.index);
      EXPECT_TRUE(GetTensor(after, new_layer.inputs[input]).shape ==
                  GetTensor(before, old_layer.inputs[input]).shape);
    }
  }
  ASSERT_EQ(before.inputs.size(), after.inputs.size());
  ASSERT_EQ(before.outputs.size(), after.outputs.size());
  for (std::size_t i = 0; i < before.inputs.size(); ++i) {
    EXPECT_EQ(old_of_new.at(after.inputs[i]), before.inputs[i]);
  }
  for (std::size_t i = 0; i < before.outputs.size(); ++i) {
    EXPECT_EQ(old_of_new.at(after.outputs[i]), before.outputs[i]);
  }
}

}  // namespace

void ExpectBridged(const Graph& before, const BridgedNetwork& network, const KindTable& table) {
  Checker(network, table).Check();
  ExpectSameComputation(before, network.graph);
}

OutputSlot FindOrigin(const Graph& graph, OutputSlot slot) {
  while (IsTransfer(graph.layers[slot.layer]) || IsView(graph.layers[slot.layer])) {
    slot = graph.layers[slot.layer].inputs[0];
  }
  return slot;
}

}  // namespace backplane
