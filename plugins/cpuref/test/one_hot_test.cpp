#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

OneHotDescriptor DescribeOneHot(std::uint32_t axis, std::int64_t depth) {
  OneHotDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.depth = depth;
  return descriptor;
}

using Row = std::vector<float>;

TEST(OneHot, PutsTheNewAxisWhereItIsWanted) {
  const FloatTensor indices = {{2}, {0, 2}};
  const FloatTensor values = {{2}, {5, 9}};
  EXPECT_EQ(RunLayer(LayerType::kOneHot, DescribeOneHot(1, 3), {indices, values}, {2, 3}),
            (Row{9, 5, 5, 5, 5, 9}));
  EXPECT_EQ(RunLayer(LayerType::kOneHot, DescribeOneHot(0, 3), {indices, values}, {3, 2}),
            (Row{9, 5, 5, 5, 5, 9}));
  EXPECT_EQ(RunLayer(LayerType::kOneHot, DescribeOneHot(0, 2), {{{}, {1}}, values}, {2}),
            (Row{5, 9}));
}

TEST(OneHot, CutsOffIndicesAndCountsNegativeOnesFromTheEnd) {
  EXPECT_EQ(RunLayer(LayerType::kOneHot, DescribeOneHot(1, 2),
                     {{{3}, {1.9F, -1.0F, -0.5F}}, {{2}, {0, 1}}}, {3, 2}),
            (Row{0, 1, 0, 1, 1, 0}));
}

TEST(OneHot, SetsNothingForWhatLiesOutside) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(RunLayer(LayerType::kOneHot, DescribeOneHot(1, 1),
                     {{{6}, {1, -2, infinity, -infinity, nan, 1e30F}}, {{2}, {0, 1}}}, {6, 1}),
            Row(6, 0.0F));
}

// Cut off to int64 it would be -1, the last.
TEST(OneHot, SetsNothingForTheGreatestUnsignedIndex) {
  const TensorInfo indices({1}, DataType::kUInt64);
  const TensorInfo values({2}, DataType::kUInt8);
  const TensorInfo output({1, 2}, DataType::kUInt8);
  const TestLayer layer(LayerType::kOneHot, DescribeOneHot(1, 2), {indices, values}, output);
  ASSERT_EQ(GetRefusal(layer), "");
  std::uint64_t index = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint8_t> off_and_on = {3, 4};
  std::vector<std::uint8_t> result(2);
  MemoryHandle index_handle(indices, &index);
  MemoryHandle values_handle(values, off_and_on.data());
  MemoryHandle result_handle(output, result.data());
  EXPECT_EQ(Execute(*MakeWorkload(layer), {&index_handle, &values_handle}, {&result_handle}),
            Status::kSuccess);
  EXPECT_EQ(result, (std::vector<std::uint8_t>{3, 3}));
}

TEST(OneHot, RefusesWhatDoesNotFit) {
  const TensorInfo indices({2}, DataType::kFloat32);
  const TensorInfo values({2}, DataType::kFloat32);
  const TensorInfo output({2, 3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kOneHot, DescribeOneHot(2, 3), {indices, values}, output}),
            "axis 2 is outside of rank 2 of the output");
  EXPECT_EQ(GetRefusal({LayerType::kOneHot, DescribeOneHot(1, 4), {indices, values}, output}),
            "the output has shape [2, 3], but the inputs give [2, 4]");
  EXPECT_EQ(GetRefusal({LayerType::kOneHot, DescribeOneHot(1, 3), {indices, output}, output}),
            "input 1 has shape [2, 3], but must have [2]");
  EXPECT_EQ(GetRefusal({LayerType::kOneHot,
                        DescribeOneHot(1, 3),
                        {TensorInfo({2}, DataType::kBool), values},
                        output}),
            "data type bool of input 0 is not supported, only numbers");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
