#include "placement/weigh_islands.hpp"

#include "expect_diagnostic.hpp"
#include "graph/network.hpp"
#include "placement/assign_layers.hpp"
#include "placement/layer_work.hpp"
#include "test_networks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace backplane {
namespace {

using Layers = std::vector<LayerId>;
using Owners = std::vector<std::string>;  // of each operator

/// A device to which nothing comes for nothing: 5 us for a tensor, and 1 us for 1000 bytes.
const std::map<std::string, BackendCosts> kWithDevice{{"Device", {5, 1000, 0, 1e4}}};

std::vector<CostlyIsland> Weigh(const INetwork& network, const Owners& owners,
                                const std::map<std::string, BackendCosts>& costs = kWithDevice,
                                const std::string& next = "Cpu") {
  const Graph& graph = static_cast<const Network&>(network).GetGraph();
  std::vector<LayerPlacement> placements;
  for (const Layer& layer : graph.layers) {
    if (!IsOperator(layer)) continue;
    LayerPlacement placement;
    placement.layer = layer.id;
    placement.backend_id = owners.at(placements.size());
    placement.hint = layer.backend_hint;
    placements.push_back(placement);
  }
  return FindCostlyIslands(graph, placements, costs,
                           [&](LayerId, const std::string&) { return next; });
}

/// Products of [64, 64] matrices with constants: 52 us of work at the rate that is assumed, and
/// 16,384 bytes between two of them, which take 26 us.
std::unique_ptr<INetwork> MakeProducts(int count) {
  const std::vector<float> content(64 * 64);
  auto network = INetwork::Create("products");
  OutputSlot tensor = network->AddInputLayer(Float({64, 64}), "x");
  const OutputSlot weights = network->AddConstantLayer(
      Float({64, 64}), CopyConstantData(content.data(), content.size() * sizeof(float)), "weights");
  for (int i = 0; i < count; ++i) {
    tensor = {AddLayer<LayerType::kFullyConnected>(*network, {}, {tensor, weights}, "product"), 0};
  }
  network->AddOutputLayer(tensor, "y");
  return network;
}

TEST(CostlyIslands, AreSmallLayersBetweenThoseOfOthers) {
  const auto islands = Weigh(*MakeChain({"a", "b", "c"}), {"Cpu", "Device", "Cpu"});
  ASSERT_EQ(islands.size(), 1U);
  EXPECT_EQ(islands[0].layers, Layers{2});
  EXPECT_EQ(islands[0].reason,
            "left on Cpu: 2 crossings of 32 bytes take 10 us, for 0.0032 us of work");
}

TEST(CostlyIslands, AreNotThoseOfBackendsWithoutCosts) {
  const auto chain = MakeChain({"a", "b", "c"});
  EXPECT_TRUE(Weigh(*chain, {"Cpu", "Device", "Cpu"}, {}).empty());
  EXPECT_TRUE(Weigh(*chain, {"Device", "Cpu", "Device"}, {{"Cpu", BackendCosts()}}).empty());
}

TEST(CostlyIslands, AreNotWholeNetworks) {
  EXPECT_TRUE(Weigh(*MakeChain({"a", "b", "c"}), {"Device", "Device", "Device"}).empty());
}

TEST(CostlyIslands, AreNotLayersThatAreWorthIt) {
  EXPECT_EQ(Weigh(*MakeProducts(3), {"Cpu", "Device", "Cpu"}).size(), 0U);
  EXPECT_EQ(
      Weigh(*MakeProducts(3), {"Cpu", "Device", "Cpu"}, {{"Device", {30, 1000, 0, 1e4}}}).size(),
      1U);
}

TEST(CostlyIslands, AreWeighedWithTheTimeToBeginEachLayer) {
  EXPECT_EQ(
      Weigh(*MakeProducts(4), {"Cpu", "Device", "Device", "Cpu"}, {{"Device", {20, 1000, 0, 1e4}}})
          .size(),
      0U);
  EXPECT_EQ(
      Weigh(*MakeProducts(4), {"Cpu", "Device", "Device", "Cpu"}, {{"Device", {20, 1000, 40, 1e4}}})
          .size(),
      1U);
}

// At the edge of a part that stays, a crossing remains in another place.
TEST(CostlyIslands, AreNotThoseThatOnlyMoveTheBorder) {
  const auto islands = Weigh(*MakeProducts(2), {"Device", "Cpu"});
  EXPECT_TRUE(islands.empty()) << islands[0].reason;
}

TEST(CostlyIslands, AreNotGivenUpWhereNobodyElseTakesThemOrSomebodyWantsThem) {
  const auto chain = MakeChain({"a", "b", "c"});
  EXPECT_TRUE(Weigh(*chain, {"Cpu", "Device", "Cpu"}, kWithDevice, "").empty());
  chain->SetBackendHint(2, "Device");
  EXPECT_TRUE(Weigh(*chain, {"Cpu", "Device", "Cpu"}).empty());
}

TEST(CostlyIslands, AreEachGivenUpByItself) {
  const auto islands =
      Weigh(*MakeChain({"a", "b", "c", "d", "e"}), {"Device", "Cpu", "Device", "Cpu", "Device"});
  ASSERT_EQ(islands.size(), 3U);
  EXPECT_EQ(islands[0].layers, Layers{1});
  EXPECT_EQ(islands[1].layers, Layers{3});
  EXPECT_EQ(islands[2].layers, Layers{5});
}

TEST(LayerWork, CountsProducts) {
  const auto network = MakeProducts(1);
  const Graph& graph = static_cast<const Network&>(*network).GetGraph();
  const LayerWork work = EstimateWork(graph, graph.layers[2]);
  EXPECT_EQ(work.num_operations, 2.0 * 64 * 64 * 64);
  EXPECT_EQ(work.num_bytes, 3.0 * 64 * 64 * 4);
}

TEST(BackendCosts, AreReadWhereTheyAreCosts) {
  const BackendCosts costs = ReadCosts({{kCapabilityCrossingTime, 5.0},
                                        {kCapabilityCrossingRate, 3},
                                        {kCapabilityLaunchTime, -1.0},
                                        {kCapabilityComputeRate, "fast"}});
  EXPECT_EQ(costs.crossing_time, 5);
  EXPECT_EQ(costs.crossing_rate, 3);
  EXPECT_EQ(costs.launch_time, 0);
  EXPECT_EQ(costs.compute_rate, BackendCosts().compute_rate);
  EXPECT_FALSE(ReadCosts({}).HasCrossings());
}

}  // namespace
}  // namespace backplane
