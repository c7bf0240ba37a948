#include "test/index_layer.hpp"
#include "test/limits.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

GatherElementsDescriptor AlongGatherElements(std::uint32_t axis) {
  GatherElementsDescriptor descriptor;
  descriptor.axis = axis;
  return descriptor;
}

const FloatTensor kGatherElementsValues = {{2, 3}, {1, 2, 3, 4, 5, 6}};
using Row = std::vector<float>;

TEST(GatherElements, TakesAnElementForEachIndex) {
  EXPECT_EQ(RunIndexLayer(LayerType::kGatherElements, AlongGatherElements(1), kGatherElementsValues,
                          {{2, 2}, {2, 0, 1, -1}}, {}, {2, 2}),
            (Row{3, 1, 5, 6}));
  EXPECT_EQ(RunIndexLayer(LayerType::kGatherElements, AlongGatherElements(0), kGatherElementsValues,
                          {{3, 2}, {0, 1, 1, 0, -1, -2}}, {}, {3, 2}),
            (Row{1, 5, 4, 2, 4, 2}));
}

TEST(GatherElements, StaysInside) {
  EXPECT_EQ(RunIndexLayer(LayerType::kGatherElements, AlongGatherElements(1), kGatherElementsValues,
                          {{1, 4}, {3, -4, kMost, kLeast}}, {}, {1, 4}),
            (Row{3, 1, 3, 1}));
}

TEST(GatherElements, GivesNothingForNoIndices) {
  EXPECT_TRUE(RunIndexLayer(LayerType::kGatherElements, AlongGatherElements(0), FloatTensor({0, 3}),
                            {{0, 2}, {}}, {}, {0, 2})
                  .empty());
}

TEST(GatherElements, RefusesIndicesThatDoNotFit) {
  EXPECT_EQ(GetRefusal(MakeIndexLayer(LayerType::kGatherElements, AlongGatherElements(0), {2, 3},
                                      {2, 4}, {}, {2, 4})),
            "the indices with shape [2, 4] do not fit [2, 3] of input 0 in all axes but 0");
  EXPECT_EQ(GetRefusal(MakeIndexLayer(LayerType::kGatherElements, AlongGatherElements(0), {0, 3},
                                      {1, 3}, {}, {1, 3})),
            "there are indices, but input 0 has extent 0 along axis 0");
  EXPECT_EQ(GetRefusal(MakeIndexLayer(LayerType::kGatherElements, AlongGatherElements(5), {2, 3},
                                      {1, 3}, {}, {1, 3})),
            "axis 5 is outside of rank 2 of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
