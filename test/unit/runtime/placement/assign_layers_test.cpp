#include "placement/assign_layers.hpp"

#include "expect_diagnostic.hpp"
#include "graph/network.hpp"
#include "test_networks.hpp"

#include <map>
#include <utility>

namespace backplane {
namespace {

/// Backends that refuse some layers by name.
using Refusing = std::map<std::string, std::set<std::string>>;

std::vector<LayerPlacement> Assign(const INetwork& network, const AssignmentOrder& order,
                                   const Refusing& refusing) {
  const Graph& graph = static_cast<const Network&>(network).GetGraph();
  return AssignLayers(graph, order, [&](const std::string& id, const Layer& layer) {
    const auto found = refusing.find(id);
    const bool is_refused = found != refusing.end() && found->second.count(layer.name) != 0;
    return LayerAnswer{!is_refused, is_refused ? "no " + layer.name : ""};
  });
}

std::vector<std::string> BackendsOfAssignLayers(const std::vector<LayerPlacement>& layers) {
  std::vector<std::string> ids;
  for (const LayerPlacement& layer : layers) ids.push_back(layer.backend_id);
  return ids;
}

using Ids = std::vector<std::string>;

TEST(AssignLayers, GivesEachLayerToTheFirstThatTakesIt) {
  const auto network = MakeChain({"a", "b", "c"});
  const auto layers = Assign(*network, {{"X", "Y"}, {}}, {{"X", {"b"}}});
  EXPECT_EQ(BackendsOfAssignLayers(layers), (Ids{"X", "Y", "X"}));
  ASSERT_EQ(layers[1].refusals.size(), 1U);
  EXPECT_EQ(layers[1].refusals[0].backend_id, "X");
  EXPECT_EQ(layers[1].refusals[0].reason, "no b");
  EXPECT_TRUE(layers[0].refusals.empty());
}

TEST(AssignLayers, LeavesOutWhatNobodyTakes) {
  const auto network = MakeChain({"a", "b"});
  const auto layers = Assign(*network, {{"X", "Y"}, {}}, {{"X", {"b"}}, {"Y", {"b"}}});
  EXPECT_EQ(BackendsOfAssignLayers(layers), (Ids{"X", ""}));
  EXPECT_EQ(layers[1].refusals.size(), 2U);
}

TEST(AssignLayers, TriesTheHintFirst) {
  const auto network = MakeChain({"a", "b", "c"});
  network->SetBackendHint(2, "Y");
  network->SetBackendHint(3, "Z");
  const auto layers = Assign(*network, {{"X", "Y"}, {}}, {{"Z", {"c"}}});
  EXPECT_EQ(BackendsOfAssignLayers(layers), (Ids{"X", "Y", "X"}));
  EXPECT_EQ(layers[2].hint, "Z");
  ASSERT_EQ(layers[2].refusals.size(), 1U);
  EXPECT_EQ(layers[2].refusals[0].backend_id, "Z");
}

TEST(AssignLayers, AsksAHintedPreferenceOnce) {
  const auto network = MakeChain({"a"});
  network->SetBackendHint(1, "Y");
  const auto layers = Assign(*network, {{"X", "Y"}, {}}, {{"X", {"a"}}, {"Y", {"a"}}});
  ASSERT_EQ(layers[0].refusals.size(), 2U);
  EXPECT_EQ(layers[0].refusals[0].backend_id, "Y");
  EXPECT_EQ(layers[0].refusals[1].backend_id, "X");
}

TEST(AssignLayers, GivesAWholeNetworkOrNothing) {
  const auto network = MakeChain({"a", "b", "c"});
  const AssignmentOrder order{{"X", "Y"}, {"X"}};
  EXPECT_EQ(BackendsOfAssignLayers(Assign(*network, order, {})), (Ids{"X", "X", "X"}));
  const auto layers = Assign(*network, order, {{"X", {"b"}}});
  EXPECT_EQ(BackendsOfAssignLayers(layers), (Ids{"Y", "Y", "Y"}));
  for (const LayerPlacement& layer : layers) {
    ASSERT_EQ(layer.refusals.size(), 1U);
    ExpectContains(layer.refusals[0].reason, "would get 2 of 3 layers");
    ExpectContains(layer.refusals[0].reason, "layer \"b\" (Activation): no b");
  }
}

TEST(AssignLayers, GivesNoRestToABackendThatTakesWholeNetworks) {
  const auto network = MakeChain({"a", "b"});
  const AssignmentOrder order{{"X", "Whole", "Y"}, {"Whole"}};
  EXPECT_EQ(BackendsOfAssignLayers(Assign(*network, order, {{"X", {"b"}}})), (Ids{"X", "Y"}));
}

TEST(AssignLayers, GivesTheSamePlanForTheSameInput) {
  const auto network = MakeChain({"a", "b", "c", "d"});
  const AssignmentOrder order{{"X", "Y", "Z"}, {"Z"}};
  const Refusing refusing{{"X", {"b", "d"}}, {"Y", {"d"}}};
  const auto first = Assign(*network, order, refusing);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(BackendsOfAssignLayers(Assign(*network, order, refusing)),
              BackendsOfAssignLayers(first));
  }
  EXPECT_EQ(BackendsOfAssignLayers(first), (Ids{"X", "Y", "X", ""}));
}

}  // namespace
}  // namespace backplane
