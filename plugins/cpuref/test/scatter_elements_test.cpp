#include "test/index_layer.hpp"
#include "test/limits.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

ScatterElementsDescriptor AlongScatterElements(
    std::uint32_t axis, ScatterReduction reduction = ScatterReduction::kNone) {
  ScatterElementsDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.reduction = reduction;
  return descriptor;
}

std::vector<float> Scatter(ScatterReduction reduction, const std::vector<std::int64_t>& indices,
                           const std::vector<float>& updates) {
  const auto count = static_cast<std::int64_t>(indices.size());
  return RunIndexLayer(LayerType::kScatterElements, AlongScatterElements(0, reduction),
                       {{3}, {1, 2, 3}}, {{count}, indices}, {{{count}, updates}}, {3});
}

using Row = std::vector<float>;

TEST(ScatterElements, TakesTheLastOfSeveralUpdates) {
  EXPECT_EQ(Scatter(ScatterReduction::kNone, {1, 1, -1}, {7, 8, 9}), (Row{1, 8, 9}));
}

TEST(ScatterElements, CombinesAllOfThem) {
  EXPECT_EQ(Scatter(ScatterReduction::kAdd, {1, 1, 0}, {7, 8, 9}), (Row{10, 17, 3}));
  EXPECT_EQ(Scatter(ScatterReduction::kMul, {1, 1, 0}, {7, 8, 9}), (Row{9, 112, 3}));
  EXPECT_EQ(Scatter(ScatterReduction::kMax, {1, 1, 0}, {7, 8, -9}), (Row{1, 8, 3}));
  EXPECT_EQ(Scatter(ScatterReduction::kMin, {1, 1, 0}, {7, 1, -9}), (Row{-9, 1, 3}));
}

TEST(ScatterElements, LeavesOutWhatLiesOutside) {
  EXPECT_EQ(Scatter(ScatterReduction::kNone, {3, -4, kMost, kLeast}, {7, 8, 9, 10}),
            (Row{1, 2, 3}));
}

TEST(ScatterElements, LetsNanThrough) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const ScatterReduction reduction : {ScatterReduction::kMax, ScatterReduction::kMin}) {
    EXPECT_TRUE(std::isnan(Scatter(reduction, {0, 0}, {nan, 5})[0]));
    EXPECT_TRUE(std::isnan(Scatter(reduction, {0, 0}, {5, nan})[0]));
  }
}

TEST(ScatterElements, CopiesWithoutUpdates) {
  EXPECT_EQ(Scatter(ScatterReduction::kAdd, {}, {}), (Row{1, 2, 3}));
}

TEST(ScatterElements, UpdatesAPartOfTheOtherAxes) {
  EXPECT_EQ(
      RunIndexLayer(LayerType::kScatterElements, AlongScatterElements(0), {{3, 3}, Row(9, 0.0F)},
                    {{2, 2}, {2, 0, 1, 2}}, {{{2, 2}, {1, 2, 3, 4}}}, {3, 3}),
      (Row{0, 2, 0, 3, 0, 0, 1, 4, 0}));
}

TEST(ScatterElements, RefusesWhatDoesNotFit) {
  EXPECT_EQ(GetRefusal(MakeIndexLayer(LayerType::kScatterElements, AlongScatterElements(0), {3},
                                      {2}, {{3}}, {3})),
            "the updates with shape [3] have not the shape of the indices, [2]");
  EXPECT_EQ(GetRefusal(MakeIndexLayer(LayerType::kScatterElements, AlongScatterElements(0), {3},
                                      {2, 1}, {{2, 1}}, {3})),
            "the indices with shape [2, 1] do not fit [3] of input 0 in all axes but 0");
  EXPECT_EQ(GetRefusal(MakeIndexLayer(LayerType::kScatterElements,
                                      AlongScatterElements(0, static_cast<ScatterReduction>(6)),
                                      {3}, {2}, {{2}}, {3})),
            "reduction 6 is not supported, only None (1), Add (2), Mul (3), Max (4) and Min (5)");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
