#include "test/index_layer.hpp"
#include "test/limits.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

ScatterNdDescriptor With(ScatterReduction reduction) {
  ScatterNdDescriptor descriptor;
  descriptor.reduction = reduction;
  return descriptor;
}

const ScatterNdDescriptor kReplace = With(ScatterReduction::kNone);
const FloatTensor kScatterNdValues = {{2, 3}, {1, 2, 3, 4, 5, 6}};
using Row = std::vector<float>;

TEST(ScatterNd, ReplacesElementsAndSlices) {
  EXPECT_EQ(RunIndexLayer(LayerType::kScatterNd, kReplace, kScatterNdValues,
                          {{2, 2}, {1, 2, 0, -3}}, {{{2}, {8, 9}}}, {2, 3}),
            (Row{9, 2, 3, 4, 5, 8}));
  EXPECT_EQ(RunIndexLayer(LayerType::kScatterNd, kReplace, kScatterNdValues, {{1, 1}, {-1}},
                          {{{1, 3}, {7, 8, 9}}}, {2, 3}),
            (Row{1, 2, 3, 7, 8, 9}));
  EXPECT_EQ(RunIndexLayer(LayerType::kScatterNd, kReplace, kScatterNdValues, {{0}, {}},
                          {{{2, 3}, {6, 5, 4, 3, 2, 1}}}, {2, 3}),
            (Row{6, 5, 4, 3, 2, 1}));
}

TEST(ScatterNd, CombinesAllUpdatesOfAnElement) {
  EXPECT_EQ(RunIndexLayer(LayerType::kScatterNd, With(ScatterReduction::kAdd), kScatterNdValues,
                          {{2, 1}, {0, 0}}, {{{2, 3}, {1, 2, 3, 10, 20, 30}}}, {2, 3}),
            (Row{12, 24, 36, 4, 5, 6}));
}

TEST(ScatterNd, LeavesOutWhatLiesOutside) {
  EXPECT_EQ(
      RunIndexLayer(LayerType::kScatterNd, kReplace, kScatterNdValues,
                    {{4, 2}, {2, 0, 0, 3, kMost, 0, 0, kLeast}}, {{{4}, {6, 7, 8, 9}}}, {2, 3}),
      kScatterNdValues.data);
}

TEST(ScatterNd, RefusesWhatDoesNotFit) {
  const auto refuse = [](const TensorShape& indices, const TensorShape& updates) {
    return GetRefusal(
        MakeIndexLayer(LayerType::kScatterNd, kReplace, {2, 3}, indices, {updates}, {2, 3}));
  };
  EXPECT_EQ(refuse({1, 3}, {1}), "the indices with shape [1, 3] do not fit [2, 3] of input 0");
  EXPECT_EQ(refuse({}, {1}), "the indices with shape [] do not fit [2, 3] of input 0");
  EXPECT_EQ(refuse({1, 1}, {1, 2}),
            "the updates with shape [1, 2] do not fit the indices [1, 1] and [2, 3] of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
