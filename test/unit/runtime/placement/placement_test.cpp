#include <backplane/runtime/placement.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace backplane {
namespace {

Placement MakePlacement() {
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
  EXPECT_EQ(ToText(MakePlacement()),
            "layer        type         backend    notes\n"
            "conv         Convolution  Reference  hinted: Fast\n"
            "                                     Fast refused: no float16\n"
            "#2           Softmax      Fast       as hinted\n"
            "bad\\x0a\\xff  Concat       Fast\n");
}

TEST(Placement, GivesJson) {
  const auto json = nlohmann::json::parse(ToJson(MakePlacement()));
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
