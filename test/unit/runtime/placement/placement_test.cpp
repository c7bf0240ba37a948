#include <backplane/runtime/placement.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace backplane {
namespace {

Placement MakePlacementPlacement() {
  Placement placement;
  placement.network = "net";
  placement.layers = {
      {1, "conv", LayerType::kConvolution, "Reference", "Fast", {{"Fast", "no float16"}}},
      {2, "", LayerType::kSoftmax, "Fast", "Fast", {}},
      {3, "bad\n\xff", LayerType::kConcat, "Fast", "", {}},
  };
  return placement;
}

TEST(Placement, AlignsTheTableForPeople) {
  EXPECT_EQ(ToText(MakePlacementPlacement()),
            "layer        type         backend    notes\n"
            "conv         Convolution  Reference  hinted: Fast\n"
            "                                     Fast refused: no float16\n"
            "#2           Softmax      Fast       as hinted\n"
            "bad\\x0a\\xff  Concat       Fast\n");
}

std::vector<PlacedSubgraph> MakeSubgraphs() {
  return {{"Fast", 1, SubgraphOutcome::kFailed, {1}, {}},
          {"Reference", 2, SubgraphOutcome::kUntouched, {1}, {}},
          {"Fast", 1, SubgraphOutcome::kReplaced, {2, 3}, {"fused\n"}},
          {"Fast", 1, SubgraphOutcome::kDeleted, {2, 3, 2, 3, 1}, {}}};
}

TEST(Placement, TellsBelowTheTableWhatBackendsMadeOfTheirParts) {
  Placement placement = MakePlacementPlacement();
  placement.subgraphs = MakeSubgraphs();
  const std::string table = ToText(MakePlacementPlacement());
  EXPECT_EQ(ToText(placement), table +
                                   "\nFast failed conv\n"
                                   "Fast replaced #2, bad\\x0a\\xff by fused\\x0a\n"
                                   "Fast deleted 5 layers from #2 to conv\n");
}

TEST(Placement, GivesJsonOfSubgraphs) {
  EXPECT_EQ(SubgraphsToJson(Placement()), "[]");
  Placement placement = MakePlacementPlacement();
  placement.subgraphs = MakeSubgraphs();
  const auto json = nlohmann::json::parse(SubgraphsToJson(placement));
  ASSERT_EQ(json.size(), 4U);
  EXPECT_EQ(json[0]["outcome"], "failed");
  EXPECT_EQ(json[1]["outcome"], "untouched");
  EXPECT_EQ(json[1]["turn"], 2);
  EXPECT_EQ(json[2]["backend"], "Fast");
  EXPECT_EQ(json[2]["layers"], nlohmann::json({"#2", "bad\\x0a\\xff"}));
  EXPECT_EQ(json[2]["replacements"], nlohmann::json({"fused\\x0a"}));
  EXPECT_EQ(json[3]["outcome"], "deleted");
}

TEST(Placement, GivesJson) {
  const auto json = nlohmann::json::parse(ToJson(MakePlacementPlacement()));
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[0]["layer"], "conv");
  EXPECT_EQ(json[0]["type"], "Convolution");
  EXPECT_EQ(json[0]["backend"], "Reference");
  EXPECT_EQ(json[0]["hint"], "Fast");
  EXPECT_EQ(json[0]["refusals"][0]["backend"], "Fast");
  EXPECT_EQ(json[0]["refusals"][0]["reason"], "no float16");
  EXPECT_TRUE(json[1]["refusals"].empty());
  EXPECT_TRUE(json[2]["hint"].is_null());
}

TEST(Placement, GivesEmptyJsonArrayWithoutLayers) {
  EXPECT_EQ(ToJson(Placement()), "[]");
}

}  // namespace
}  // namespace backplane
