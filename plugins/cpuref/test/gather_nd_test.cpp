#include "test/index_layer.hpp"
#include "test/limits.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

GatherNdDescriptor Batch(std::uint32_t dims) {
  GatherNdDescriptor descriptor;
  descriptor.batch_dims = dims;
  return descriptor;
}

const FloatTensor kGatherNdValues = {{2, 3}, {1, 2, 3, 4, 5, 6}};
using Row = std::vector<float>;

TEST(GatherNd, TakesElementsAndSlices) {
  EXPECT_EQ(RunIndexLayer(LayerType::kGatherNd, Batch(0), kGatherNdValues, {{2, 2}, {1, 2, 0, -3}},
                          {}, {2}),
            (Row{6, 1}));
  EXPECT_EQ(
      RunIndexLayer(LayerType::kGatherNd, Batch(0), kGatherNdValues, {{2, 1}, {1, 0}}, {}, {2, 3}),
      (Row{4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(
      RunIndexLayer(LayerType::kGatherNd, Batch(1), kGatherNdValues, {{2, 1}, {2, 0}}, {}, {2}),
      (Row{3, 4}));
}

TEST(GatherNd, TakesTheWholeForPositionsWithoutIndices) {
  EXPECT_EQ(RunIndexLayer(LayerType::kGatherNd, Batch(0), {{2}, {1, 2}}, {{2, 0}, {}}, {}, {2, 2}),
            (Row{1, 2, 1, 2}));
}

TEST(GatherNd, StaysInside) {
  EXPECT_EQ(RunIndexLayer(LayerType::kGatherNd, Batch(0), kGatherNdValues,
                          {{2, 2}, {kMost, kLeast, -3, 3}}, {}, {2}),
            (Row{4, 3}));
}

TEST(GatherNd, RefusesWhatDoesNotFit) {
  const auto refuse = [](std::uint32_t batch_dims, const TensorShape& indices,
                         const TensorShape& output) {
    return GetRefusal(
        MakeIndexLayer(LayerType::kGatherNd, Batch(batch_dims), {2, 3}, indices, {}, output));
  };
  EXPECT_EQ(refuse(0, {1, 3}, {1}),
            "the indices with shape [1, 3] do not fit [2, 3] of input 0 with 0 axes of a batch");
  EXPECT_EQ(refuse(1, {3, 1}, {3}),
            "the indices with shape [3, 1] do not fit [2, 3] of input 0 with 1 axes of a batch");
  EXPECT_EQ(refuse(4294967295U, {2, 1}, {2}),
            "the indices with shape [2, 1] do not fit [2, 3] of input 0 with 4294967295 axes of a "
            "batch");
  EXPECT_EQ(refuse(0, {2, 1}, {2}), "the output has shape [2], but the inputs give [2, 3]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
