#include "test/index_layer.hpp"
#include "test/limits.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

GatherDescriptor AlongGather(std::uint32_t axis) {
  GatherDescriptor descriptor;
  descriptor.axis = axis;
  return descriptor;
}

std::string RefuseGather(std::uint32_t axis, const TensorShape& values, const TensorShape& indices,
                         const TensorShape& output) {
  return GetRefusal(
      MakeIndexLayer(LayerType::kGather, AlongGather(axis), values, indices, {}, output));
}

const FloatTensor kGatherValues = {{2, 3}, {1, 2, 3, 4, 5, 6}};
using Row = std::vector<float>;

TEST(Gather, TakesSlicesInTheOrderOfTheIndices) {
  EXPECT_EQ(RunIndexLayer(LayerType::kGather, AlongGather(0), kGatherValues, {{3}, {1, 0, 1}}, {},
                          {3, 3}),
            (Row{4, 5, 6, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(RunIndexLayer(LayerType::kGather, AlongGather(1), kGatherValues, {{}, {2}}, {}, {2}),
            (Row{3, 6}));
}

TEST(Gather, CountsNegativeIndicesFromTheEndAndStaysInside) {
  EXPECT_EQ(RunIndexLayer(LayerType::kGather, AlongGather(1), kGatherValues,
                          {{6}, {-1, -3, -4, 3, kLeast, kMost}}, {}, {2, 6}),
            (Row{3, 1, 1, 3, 1, 3, 6, 4, 4, 6, 4, 6}));
}

TEST(Gather, RefusesWhatDoesNotFit) {
  EXPECT_EQ(RefuseGather(2, {2, 3}, {1}, {1, 3}), "axis 2 is outside of rank 2 of input 0");
  EXPECT_EQ(RefuseGather(0, {0, 3}, {1}, {1, 3}),
            "there are indices, but input 0 has extent 0 along axis 0");
  EXPECT_EQ(RefuseGather(0, {2, 3}, {1}, {3, 1}),
            "the output has shape [3, 1], but the inputs give [1, 3]");
  EXPECT_EQ(RefuseGather(0, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}),
            "the inputs give an output of rank 9, which is more than 8");
}

TEST(Gather, RefusesIndicesThatAreNone) {
  TestLayer layer = MakeIndexLayer(LayerType::kGather, AlongGather(0), {2}, {1}, {}, {1});
  layer.inputs[1].data_type = DataType::kUInt8;
  EXPECT_EQ(GetRefusal(layer), "data type uint8 of input 1 is not supported, only int32 or int64");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
