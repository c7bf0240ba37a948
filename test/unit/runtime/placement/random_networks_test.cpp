#include "random_networks.hpp"

#include "bridge_check.hpp"
#include "graph/tensor_numbers.hpp"
#include "placement/bridge_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace backplane {
namespace {

using Counts = std::vector<MoveCount>;  // for each tensor that is no view, in order

/// Counts what the graph that was written does.
class Counter {
 public:
  Counter(const PlacedCase& one, const BridgedNetwork& network)
      : one_(one), network_(network), graph_(network.graph), numbers_(network.graph) {
    for (const Layer& layer : graph_.layers) {
      if (IsAdded(layer)) continue;
      for (std::uint32_t i = 0; i < layer.outputs.size(); ++i) {
        number_[numbers_.Get({layer.id, i})] = counts_.size();
        counts_.emplace_back();
      }
    }
  }

  Counts Count() {
    for (const Layer& layer : graph_.layers) {
      if (layer.type == LayerType::kInput) {
        Of({layer.id, 0}).moves += ImportsFromApplication({layer.id, 0}) ? 0 : 1;
      } else if (layer.type == LayerType::kOutput) {
        CountOutput(layer.inputs[0]);
      } else if (layer.type == LayerType::kCopy) {
        ++Of({layer.id, 0}).moves;
      } else if (IsAdded(layer)) {
        if (network_.roles[layer.id] == LayerRole::kStep && layer.type != LayerType::kImport) {
          ++Of({layer.id, 0}).moves;
        }
      } else if (IsRunByBackend(layer)) {
        CountPreferences(layer);
      }
    }
    return counts_;
  }

 private:
  static bool IsAdded(const Layer& layer) {
    return layer.type == LayerType::kCopy || layer.type == LayerType::kImport ||
           layer.type == LayerType::kReshape;
  }
  MoveCount& Of(OutputSlot slot) {
    return counts_[number_.at(numbers_.Get(FindOrigin(graph_, slot)))];
  }
  KindIndex KindOf(OutputSlot slot) const { return network_.kind_of_tensor[numbers_.Get(slot)]; }

  bool ImportsFromApplication(OutputSlot slot) const {
    const TensorKind& kind = one_.table.kinds[KindOf(slot)];
    return (kind.properties.import_sources & ToFlags(MemorySource::kMalloc)) != 0 &&
           kind.properties.layout == TensorLayout::kKnown &&
           network_.requirements[numbers_.Get(slot)].size_bytes ==
               GetTensor(graph_, slot).GetSizeBytes();
  }

  void CountOutput(OutputSlot slot) {
    if (KindOf(slot) == kNoKind) return;
    OutputSlot begin = slot;
    while (network_.roles[begin.layer] == LayerRole::kView) {
      begin = graph_.layers[begin.layer].inputs[0];
    }
    const LayerType maker = graph_.layers[begin.layer].type;
    const bool is_borrowed = maker == LayerType::kImport ||
                             (maker == LayerType::kInput && ImportsFromApplication(begin));
    const bool is_first = has_output_.insert(numbers_.Get(FindOrigin(graph_, slot))).second;
    Of(slot).moves += is_first && !is_borrowed && ImportsFromApplication(slot) ? 0 : 1;
  }

  std::uint32_t GetRank(std::uint32_t backend, OutputSlot slot) const {
    const auto& usable = one_.table.usable[backend];
    return static_cast<std::uint32_t>(std::find(usable.begin(), usable.end(), KindOf(slot)) -
                                      usable.begin());
  }

  // All layers of a backend read a tensor, under one shape, at one place.
  void CountPreferences(const Layer& layer) {
    const std::uint32_t backend = network_.backend_of_layer[layer.id];
    for (std::uint32_t i = 0; i < layer.outputs.size(); ++i) {
      Of({layer.id, i}).preference += GetRank(backend, {layer.id, i});
    }
    const Layer& old = FindOld(layer);
    for (std::size_t i = 0; i < layer.inputs.size(); ++i) {
      if (KindOf(layer.inputs[i]) == kNoKind) continue;
      const auto key = std::make_tuple(old.inputs[i].layer, old.inputs[i].index, backend);
      const auto [known, is_new] = read_at_.emplace(key, layer.inputs[i]);
      EXPECT_TRUE(known->second == layer.inputs[i]);
      if (is_new) Of(layer.inputs[i]).preference += GetRank(backend, layer.inputs[i]);
    }
  }

  const Layer& FindOld(const Layer& layer) {
    for (; next_old_ < one_.graph.layers.size(); ++next_old_) {
      const Layer& old = one_.graph.layers[next_old_];
      if (IsRunByBackend(old) && !IsAdded(old)) break;
    }
    EXPECT_EQ(one_.graph.layers[next_old_].type, layer.type);
    return one_.graph.layers[next_old_++];
  }

  const PlacedCase& one_;
  const BridgedNetwork& network_;
  const Graph& graph_;
  const TensorNumbers numbers_;
  std::map<std::uint32_t, std::size_t> number_;  // of a tensor in `counts_`
  std::set<std::uint32_t> has_output_;
  std::map<std::tuple<LayerId, std::uint32_t, std::uint32_t>, OutputSlot> read_at_;
  std::size_t next_old_ = 0;
  Counts counts_;
};

// Empty: some tensor cannot get to who reads it.
Counts FindLeast(const PlacedCase& one) {
  Counts counts;
  for (const Layer& layer : one.graph.layers) {
    if (layer.type == LayerType::kReshape) continue;
    for (std::uint32_t i = 0; i < layer.outputs.size(); ++i) {
      if (layer.type == LayerType::kConstant) {
        counts.emplace_back();
        continue;
      }
      const auto least = FindLeastMoves(one, {layer.id, i});
      if (!least) return {};
      counts.push_back(*least);
    }
  }
  return counts;
}

class RandomNetworksTest : public testing::Test {
 protected:
  void Try(std::uint32_t seed) {
    RandomNetworks random(seed);
    KindMaker kinds;
    std::vector<KindWish> wishes;
    random.MakeKinds(kinds, wishes);
    for (int i = 0; i < 4; ++i) {
      PlacedLayers layers;
      random.AddLayers(layers, 3 + seed % 8);
      TryNetwork({layers.GetGraph(), layers.GetBackends(), kinds.GetTable(), wishes}, kinds);
    }
  }

  void TryNetwork(const PlacedCase& one, const KindMaker& kinds) {
    const Counts least = FindLeast(one);
    try {
      const BridgeResult result = BridgeNetwork(one.graph, one.backend_of_layer, kinds.Get(),
                                                MemoryProtection::kNone, kinds.GetBackendIds());
      ASSERT_FALSE(least.empty()) << "there is no way";
      ExpectBridged(one.graph, result.network, one.table);
      EXPECT_EQ(Counter(one, result.network).Count(), least);
      ++num_bridged_;
      for (const MoveCount& count : least) num_moves_ += count.moves;
    } catch (const DiagnosticException& exception) {
      EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kNoTransfer);
      EXPECT_TRUE(least.empty()) << exception.what();
      ++num_impossible_;
    }
  }

  std::uint32_t num_bridged_ = 0;
  std::uint32_t num_impossible_ = 0;
  std::uint32_t num_moves_ = 0;
};

TEST_F(RandomNetworksTest, MoveAsFewBytesAsTryingAllWaysFinds) {
  for (std::uint32_t seed = 0; seed < 800; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Try(seed);
    if (HasFailure()) return;
  }
  EXPECT_GT(num_bridged_, 1000U);
  EXPECT_GT(num_impossible_, 100U);
  EXPECT_GT(num_moves_, num_bridged_);
}

}  // namespace
}  // namespace backplane
