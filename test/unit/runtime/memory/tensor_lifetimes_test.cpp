#include "memory/tensor_lifetimes.hpp"

#include "graph/network.hpp"
#include "graph/tensor_numbers.hpp"
#include "memory/arena_plan.hpp"
#include "plain_bridge.hpp"
#include "test_networks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace backplane {
namespace {

const Graph& GraphOf(const INetwork& network) {
  return static_cast<const Network&>(network).GetGraph();
}

// Every backend works in place, or none.
AliasGroups FindGroups(const BridgedNetwork& network, InPlaceUse use) {
  return FindAliasGroups(network, std::vector<InPlaceUse>(network.roles.size(), use));
}

std::vector<TensorLifetime> ComputeLifetimes(const INetwork& network, InPlaceUse use) {
  const BridgedNetwork bridged = MakePlainBridge(GraphOf(network));
  return backplane::ComputeLifetimes(bridged, FindGroups(bridged, use));
}

void ExpectLifetime(const TensorLifetime& lifetime, std::uint64_t size_bytes,
                    std::uint32_t first_step, std::uint32_t last_step) {
  EXPECT_EQ(lifetime.size_bytes, size_bytes);
  EXPECT_EQ(lifetime.first_step, first_step);
  EXPECT_EQ(lifetime.last_step, last_step);
}

TEST(TensorLifetimes, EndAtTheLastReader) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  const LayerId a = AddRelu(*network, x, "a");
  const LayerId b = AddRelu(*network, {a, 0}, "b");
  const LayerId c = AddSum(*network, {a, 0}, {b, 0}, "c");
  network->AddOutputLayer({c, 0}, "y");
  const auto lifetimes = ComputeLifetimes(*network, InPlaceUse::kForbidden);
  ASSERT_EQ(lifetimes.size(), 4U);
  ExpectLifetime(lifetimes[0], 16, 0, 1);
  ExpectLifetime(lifetimes[1], 16, 1, 3);
  ExpectLifetime(lifetimes[2], 16, 2, 3);
  ExpectLifetime(lifetimes[3], 16, 3, 4);
}

TEST(TensorLifetimes, OutputsLastToTheEnd) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  network->AddOutputLayer(x, "unchanged");
  const LayerId a = AddRelu(*network, x, "a");
  network->AddOutputLayer({a, 0}, "early");
  AddRelu(*network, {a, 0}, "unused");
  const auto lifetimes = ComputeLifetimes(*network, InPlaceUse::kForbidden);
  ExpectLifetime(lifetimes[0], 16, 0, 3);
  ExpectLifetime(lifetimes[1], 16, 1, 3);
  ExpectLifetime(lifetimes[2], 16, 2, 2);
}

TEST(TensorLifetimes, ConstantsTakeNoRoom) {
  auto network = INetwork::Create("net");
  const std::vector<float> values(4);
  const OutputSlot constant =
      network->AddConstantLayer(Float({4}), CopyConstantData(values.data(), 16), "c");
  network->AddOutputLayer(constant, "y");
  EXPECT_EQ(ComputeLifetimes(*network, InPlaceUse::kForbidden)[0].size_bytes, 0U);
}

TEST(TensorLifetimes, ViewsAreNoStepsAndKeepWhatTheyShow) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  const LayerId a = AddRelu(*network, x, "a");
  const LayerId view = AddView(*network, {a, 0}, {2, 2}, "view");
  AddRelu(*network, x, "b");
  network->AddOutputLayer({AddRelu(*network, {view, 0}, "c"), 0}, "y");
  const auto lifetimes = ComputeLifetimes(*network, InPlaceUse::kForbidden);
  ASSERT_EQ(lifetimes.size(), 4U);
  ExpectLifetime(lifetimes[0], 16, 0, 2);
  ExpectLifetime(lifetimes[1], 16, 1, 3);
  ExpectLifetime(lifetimes[2], 16, 2, 2);
  ExpectLifetime(lifetimes[3], 16, 3, 4);
}

TEST(TensorLifetimes, ViewsThatAreOutputsLastToTheEnd) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  network->AddOutputLayer({AddView(*network, x, {2, 2}, "view"), 0}, "y");
  AddRelu(*network, x, "unused");
  ExpectLifetime(ComputeLifetimes(*network, InPlaceUse::kForbidden)[0], 16, 0, 2);
}

TEST(TensorLifetimes, AGroupLastsFromItsFirstWriterToItsLastReader) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  const LayerId a = AddRelu(*network, x, "a");
  const LayerId b = AddRelu(*network, {a, 0}, "b");
  AddRelu(*network, {b, 0}, "unread");
  const auto lifetimes = ComputeLifetimes(*network, InPlaceUse::kAllowed);
  ASSERT_EQ(lifetimes.size(), 2U);
  ExpectLifetime(lifetimes[1], 16, 1, 3);
}

// A random graph of joins, sums, activations and views, with two outputs.
std::unique_ptr<INetwork> MakeRandomNetwork(std::mt19937& engine) {
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  auto network = INetwork::Create("net");
  const std::int64_t length = 2 * (1 + random() % 50);
  const std::vector<float> zeros(100);
  std::vector<OutputSlot> tensors{
      network->AddInputLayer(Float({length}), "x"),
      network->AddConstantLayer(Float({length}), CopyConstantData(zeros.data(), 400), "c")};
  const auto pick = [&] { return tensors[random() % tensors.size()]; };
  const std::uint32_t num_layers = random() % 40;
  for (std::uint32_t i = 0; i < num_layers; ++i) {
    const OutputSlot input = pick();
    const TensorShape shape = network->GetTensorInfo(input).shape;
    const std::int64_t elements = shape.GetNumElements();
    switch (random() % 4) {
      case 0:
        tensors.push_back({AddRelu(*network, input, ""), 0});
        break;
      case 1: {
        const TensorShape wanted =
            shape.rank == 1 ? TensorShape{2, elements / 2} : TensorShape{elements};
        tensors.push_back({AddView(*network, input, wanted, ""), 0});
        break;
      }
      case 2: {
        const OutputSlot other = pick();
        const bool is_like = network->GetTensorInfo(other).shape == shape;
        tensors.push_back({AddSum(*network, input, is_like ? other : input, ""), 0});
        break;
      }
      default: {
        if (elements > 5000) break;
        const std::vector<OutputSlot> twice{input, input};
        tensors.push_back(
            {AddLayer<LayerType::kConcat>(*network, ConcatDescriptor(), twice, ""), 0});
      }
    }
  }
  network->AddOutputLayer(pick(), "y");
  network->AddOutputLayer(pick(), "z");
  return network;
}

/// Runs a graph in the mind: each tensor is stamped into a model of the arena when it is written,
/// and must still be there whenever it is read.
class ArenaModel {
 public:
  ArenaModel(const Graph& graph, InPlaceUse use)
      : graph_(graph),
        network_(MakePlainBridge(graph)),
        numbers_(graph),
        groups_(FindGroups(network_, use)),
        lifetimes_(backplane::ComputeLifetimes(network_, groups_)),
        plan_(PlanArena(lifetimes_)),
        stamps_(plan_.arena_bytes / 64, kNobody) {}

  void Run() {
    for (const Layer& layer : graph_.layers) {
      if (layer.type == LayerType::kInput) Stamp({layer.id, 0});
      if (network_.roles[layer.id] != LayerRole::kStep) continue;
      for (const OutputSlot input : layer.inputs) ExpectIntact(input);
      Stamp({layer.id, 0});
      // After writing: an operator must not overwrite what it still reads, except in place.
      for (const OutputSlot input : layer.inputs) {
        if (GetGroup(input) != GetGroup({layer.id, 0})) ExpectIntact(input);
      }
    }
    for (const LayerId output : graph_.outputs) ExpectIntact(graph_.layers[output].inputs[0]);
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffffU;

  std::uint32_t GetGroup(OutputSlot slot) const {
    return groups_.tensors[numbers_.Get(slot)].group;
  }
  // Views show what another tensor wrote.
  std::uint32_t GetWriter(OutputSlot slot) const {
    std::uint32_t tensor = numbers_.Get(slot);
    while (groups_.tensors[tensor].kind == AliasKind::kView)
      tensor = groups_.tensors[tensor].source;
    return tensor;
  }
  auto GetStamps(OutputSlot slot) {
    const std::uint32_t group = GetGroup(slot);
    const auto begin = stamps_.begin() + static_cast<std::ptrdiff_t>(plan_.offsets[group] / 64);
    const std::uint64_t num_blocks = (lifetimes_[group].size_bytes + 63) / 64;
    return std::make_pair(begin, begin + static_cast<std::ptrdiff_t>(num_blocks));
  }
  void Stamp(OutputSlot slot) {
    const auto [begin, end] = GetStamps(slot);
    std::fill(begin, end, numbers_.Get(slot));
  }
  void ExpectIntact(OutputSlot slot) {
    const auto [begin, end] = GetStamps(slot);
    const std::uint32_t writer = GetWriter(slot);
    EXPECT_TRUE(std::all_of(begin, end, [&](std::uint32_t stamp) { return stamp == writer; }));
  }

  const Graph& graph_;
  const BridgedNetwork network_;
  const TensorNumbers numbers_;
  const AliasGroups groups_;
  const std::vector<TensorLifetime> lifetimes_;
  const ArenaPlan plan_;
  std::vector<std::uint32_t> stamps_;
};

TEST(TensorLifetimes, KeepEveryTensorIntactInRandomGraphs) {
  std::mt19937 engine(7);
  for (int round = 0; round < 300; ++round) {
    const auto network = MakeRandomNetwork(engine);
    ArenaModel(GraphOf(*network), InPlaceUse::kForbidden).Run();
    ArenaModel(GraphOf(*network), InPlaceUse::kAllowed).Run();
  }
}

}  // namespace
}  // namespace backplane
