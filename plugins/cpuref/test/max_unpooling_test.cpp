#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

MaxUnpoolingDescriptor DescribeMaxUnpooling(const std::vector<std::int64_t>& index_extents,
                                            const std::vector<std::int64_t>& extents) {
  MaxUnpoolingDescriptor descriptor;
  descriptor.spatial_rank = static_cast<std::uint32_t>(extents.size());
  std::copy(index_extents.begin(), index_extents.end(), descriptor.index_extents);
  std::copy(extents.begin(), extents.end(), descriptor.extents);
  return descriptor;
}

std::vector<float> Unpool(const MaxUnpoolingDescriptor& descriptor, const FloatTensor& input,
                          const std::vector<std::int64_t>& indices, const TensorShape& output) {
  const StoredTensor result =
      RunStored(LayerType::kMaxUnpooling, descriptor,
                {MakeStored(input.GetInfo(), input.data),
                 MakeStored(TensorInfo(input.shape, DataType::kInt64), indices)},
                TensorInfo(output, DataType::kFloat32));
  return GetStored<float>(result);
}

TestLayer MakeMaxUnpoolingLayer(const MaxUnpoolingDescriptor& descriptor, const TensorShape& input,
                                const TensorShape& output) {
  return {LayerType::kMaxUnpooling,
          descriptor,
          {TensorInfo(input, DataType::kFloat32), TensorInfo(input, DataType::kInt64)},
          TensorInfo(output, DataType::kFloat32)};
}

TEST(MaxUnpooling, PutsElementsWhereTheyWere) {
  EXPECT_EQ(Unpool(DescribeMaxUnpooling({4}, {4}), FloatTensor({1, 2, 2}, {1, 2, 3, 4}),
                   {1, 3, 4, 6}, {1, 2, 4}),
            (std::vector<float>{0, 1, 0, 2, 3, 0, 4, 0}));
}

TEST(MaxUnpooling, KeepsThePositionInALargerOrSmallerOutput) {
  const FloatTensor input({1, 1, 1, 2}, {1, 2});
  EXPECT_EQ(Unpool(DescribeMaxUnpooling({2, 2}, {3, 3}), input, {1, 2}, {1, 1, 3, 3}),
            (std::vector<float>{0, 1, 0, 2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(Unpool(DescribeMaxUnpooling({2, 2}, {2, 1}), input, {1, 2}, {1, 1, 2, 1}),
            (std::vector<float>{0, 2}));
}

TEST(MaxUnpooling, PassesOverIndicesOfNothing) {
  EXPECT_EQ(Unpool(DescribeMaxUnpooling({3}, {3}), FloatTensor({1, 1, 5}, {1, 2, 3, 4, 5}),
                   {-1, 3, kLeast, kMost, 2}, {1, 1, 3}),
            (std::vector<float>{0, 0, 5}));
}

TEST(MaxUnpooling, TheLastOfSeveralElementsStays) {
  EXPECT_EQ(Unpool(DescribeMaxUnpooling({2}, {2}), FloatTensor({1, 1, 3}, {1, 2, 3}), {1, 0, 1},
                   {1, 1, 2}),
            (std::vector<float>{2, 3}));
}

TEST(MaxUnpooling, TakesEmptyTensors) {
  EXPECT_EQ(Unpool(DescribeMaxUnpooling({2}, {2}), FloatTensor({1, 1, 0}), {}, {1, 1, 2}),
            (std::vector<float>{0, 0}));
  EXPECT_TRUE(
      Unpool(DescribeMaxUnpooling({2}, {0}), FloatTensor({1, 1, 1}, {1}), {0}, {1, 1, 0}).empty());
}

TEST(MaxUnpooling, RefusesShapesThatDoNotFit) {
  TestLayer layer = MakeMaxUnpoolingLayer(DescribeMaxUnpooling({4}, {4}), {1, 1, 2}, {1, 1, 3});
  EXPECT_EQ(GetRefusal(layer), "the output has shape [1, 1, 3], but the inputs give [1, 1, 4]");
  layer.outputs[0].shape = {1, 1, 4};
  layer.inputs[1].shape = {1, 1, 3};
  EXPECT_EQ(GetRefusal(layer),
            "input 1 (indices) has shape [1, 1, 3], but must have [1, 1, 2] as input 0");
}

TEST(MaxUnpooling, RefusesIndexExtentsThatCannotBeCounted) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40U;
  EXPECT_EQ(GetRefusal(MakeMaxUnpoolingLayer(DescribeMaxUnpooling({kHuge, kHuge}, {1, 1}),
                                             {1, 1, 1, 1}, {1, 1, 1, 1})),
            "index extent 1099511627776 of spatial axis 1 must be 0 or more, with a product that "
            "fits 63 bits");
  EXPECT_EQ(
      GetRefusal(MakeMaxUnpoolingLayer(DescribeMaxUnpooling({-1}, {1}), {1, 1, 1}, {1, 1, 1})),
      "index extent -1 of spatial axis 0 must be 0 or more, with a product that fits 63 "
      "bits");
}

TEST(MaxUnpooling, RefusesIndicesOfOtherTypes) {
  TestLayer layer = MakeMaxUnpoolingLayer(DescribeMaxUnpooling({4}, {4}), {1, 1, 2}, {1, 1, 4});
  layer.inputs[1].data_type = DataType::kFloat32;
  EXPECT_NE(GetRefusal(layer), "");
  layer.inputs[1].data_type = DataType::kInt32;
  EXPECT_EQ(GetRefusal(layer), "");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
