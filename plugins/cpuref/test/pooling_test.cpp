#include "test/float_case.hpp"
#include "test/limits.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

PoolingDescriptor DescribePooling(PoolingMethod method, std::uint32_t spatial_rank,
                                  std::uint32_t kernel) {
  PoolingDescriptor descriptor;
  descriptor.method = method;
  descriptor.spatial_rank = spatial_rank;
  std::fill_n(descriptor.kernel, kMaxSpatialRank, kernel);
  return descriptor;
}

/// Counts windows that fit, or with rounding up that begin before the last one that fits ends.
TensorShape CountPositionsPooling(const TensorShape& input, const PoolingDescriptor& descriptor) {
  TensorShape output = {input[0], input[1]};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    const std::int64_t begin = descriptor.pads_begin[i];
    const std::int64_t padded = input[i + 2] + begin + descriptor.pads_end[i];
    const std::int64_t reach = (descriptor.kernel[i] - 1) * descriptor.dilations[i];
    const std::int64_t stride = descriptor.strides[i];
    std::int64_t count = 0;
    for (std::int64_t at = 0; at + reach < padded; at += stride) ++count;
    const bool fits_exactly = count > 0 && (count - 1) * stride + reach + 1 == padded;
    const bool begins_before_end_padding = count * stride < input[i + 2] + begin;
    if (descriptor.rounding == OutputRounding::kCeiling && count > 0 && !fits_exactly &&
        begins_before_end_padding) {
      ++count;
    }
    output.Append(count);
  }
  return output;
}

void ExpectComputesPooling(const FloatTensor& input, const PoolingDescriptor& descriptor) {
  const TensorShape output = CountPositionsPooling(input.shape, descriptor);
  ExpectAsOracle(GetOracleOfPooling(), descriptor, {input}, output);
}

TestLayer MakePoolingLayer(const PoolingDescriptor& descriptor, const TensorShape& input,
                           const TensorShape& output) {
  return {LayerType::kPooling,
          descriptor,
          {TensorInfo(input, DataType::kFloat32)},
          TensorInfo(output, DataType::kFloat32)};
}

TEST(Pooling, ComputesRandomLayersOfEverySpatialRank) {
  Random random(15);
  for (int round = 0; round < 400; ++round) {
    auto descriptor =
        DescribePooling(random.Integer(0, 1) == 0 ? PoolingMethod::kMax : PoolingMethod::kAverage,
                        random.Word(1, kMaxSpatialRank), 1);
    descriptor.rounding = static_cast<OutputRounding>(random.Word(1, 2));
    descriptor.padding_in_average = static_cast<PaddingInAverage>(random.Word(1, 2));
    TensorShape input = random.Shape(2, 1, 3);
    for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
      input.Append(random.Integer(1, 9));
      descriptor.kernel[i] = random.Word(1, 4);
      descriptor.strides[i] = random.Word(1, 4);
      descriptor.dilations[i] = random.Word(1, 3);
      descriptor.pads_begin[i] = random.Word(0, 3);
      descriptor.pads_end[i] = random.Word(0, 3);
    }
    ExpectComputesPooling(random.Tensor(input), descriptor);
  }
}

TEST(Pooling, ComputesAGlobalAverage) {
  auto descriptor = DescribePooling(PoolingMethod::kAverage, 2, 7);
  ExpectComputesPooling(Random(16).Tensor({2, 3, 7, 7}), descriptor);
}

TEST(Pooling, TakesAKernelLargerThanTheInputWithPadding) {
  for (const PoolingMethod method : {PoolingMethod::kMax, PoolingMethod::kAverage}) {
    auto descriptor = DescribePooling(method, 2, 5);
    std::fill_n(descriptor.pads_begin, 2, 2U);
    std::fill_n(descriptor.pads_end, 2, 3U);
    ExpectComputesPooling(Random(17).Tensor({1, 2, 2, 1}), descriptor);
  }
}

TEST(Pooling, AWindowBehindThePaddingCountsOnlyWhatIsInTheDivisor) {
  auto descriptor = DescribePooling(PoolingMethod::kAverage, 1, 3);
  descriptor.strides[0] = 2;
  descriptor.rounding = OutputRounding::kCeiling;
  const FloatTensor input({1, 1, 4}, {1.0F, 2.0F, 3.0F, 5.0F});
  for (const auto padding : {PaddingInAverage::kExclude, PaddingInAverage::kInclude}) {
    descriptor.padding_in_average = padding;
    EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 2}),
              (std::vector<float>{2.0F, 4.0F}));
  }
}

TEST(Pooling, PaddingCountsInTheDivisorOnlyWhenAsked) {
  auto descriptor = DescribePooling(PoolingMethod::kAverage, 1, 2);
  descriptor.pads_begin[0] = 1;
  const FloatTensor input({1, 1, 2}, {4.0F, 6.0F});
  EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 2}),
            (std::vector<float>{4.0F, 5.0F}));
  descriptor.padding_in_average = PaddingInAverage::kInclude;
  EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 2}),
            (std::vector<float>{2.0F, 5.0F}));
}

TEST(Pooling, WindowsInThePaddingAverageToZeroAndHaveNoMaximum) {
  const FloatTensor input({1, 1, 1}, {4.0F});
  auto descriptor = DescribePooling(PoolingMethod::kAverage, 1, 1);
  descriptor.pads_begin[0] = descriptor.pads_end[0] = 1;
  const std::vector<float> averages = {0.0F, 4.0F, 0.0F};
  EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 3}), averages);
  descriptor.padding_in_average = PaddingInAverage::kInclude;
  EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 3}), averages);
  descriptor.method = PoolingMethod::kMax;
  EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 3}),
            (std::vector<float>{-kInfinity, 4.0F, -kInfinity}));
}

TEST(Pooling, TakesTheLastWindowOfRoundingUpOrNot) {
  auto descriptor = DescribePooling(PoolingMethod::kMax, 1, 1);
  descriptor.strides[0] = 2;
  descriptor.pads_end[0] = 1;
  descriptor.rounding = OutputRounding::kCeiling;
  const FloatTensor input({1, 1, 3}, {1.0F, 2.0F, 3.0F});
  EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 2}),
            (std::vector<float>{1.0F, 3.0F}));
  EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 3}),
            (std::vector<float>{1.0F, 3.0F, -kInfinity}));
}

TEST(Pooling, RoundingUpGivesAWindowToAnInputThatIsAlmostLongEnough) {
  auto descriptor = DescribePooling(PoolingMethod::kAverage, 1, 3);
  descriptor.strides[0] = 2;
  descriptor.rounding = OutputRounding::kCeiling;
  EXPECT_EQ(
      RunLayer(LayerType::kPooling, descriptor, {FloatTensor({1, 1, 2}, {1.0F, 2.0F})}, {1, 1, 1}),
      std::vector<float>{1.5F});
  EXPECT_EQ(GetRefusal(MakePoolingLayer(descriptor, {1, 1, 1}, {1, 1, 1})),
            "the output has shape [1, 1, 1], but the inputs give [1, 1, 0]");
}

TEST(Pooling, MaximumIsNeverRaisedByPadding) {
  auto descriptor = DescribePooling(PoolingMethod::kMax, 2, 3);
  std::fill_n(descriptor.pads_begin, 2, 1U);
  std::fill_n(descriptor.pads_end, 2, 1U);
  EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {FloatTensor({1, 1, 1, 1}, {-kInfinity})},
                     {1, 1, 1, 1}),
            std::vector<float>{-kInfinity});
}

TEST(Pooling, KeepsNaNWhereverItStandsInTheWindow) {
  for (const PoolingMethod method : {PoolingMethod::kMax, PoolingMethod::kAverage}) {
    const auto result = RunLayer(LayerType::kPooling, DescribePooling(method, 1, 2),
                                 {FloatTensor({1, 1, 4}, {1.0F, kNaN, 2.0F, 2.0F})}, {1, 1, 3});
    ASSERT_EQ(result.size(), 3U);
    EXPECT_TRUE(std::isnan(result[0]));
    EXPECT_TRUE(std::isnan(result[1]));
    EXPECT_EQ(result[2], 2.0F);
  }
}

TEST(Pooling, TakesEmptyTensors) {
  EXPECT_TRUE(RunLayer(LayerType::kPooling, DescribePooling(PoolingMethod::kMax, 1, 2),
                       {FloatTensor({2, 0, 4})}, {2, 0, 3})
                  .empty());
  EXPECT_TRUE(RunLayer(LayerType::kPooling, DescribePooling(PoolingMethod::kMax, 1, 5),
                       {FloatTensor({2, 1, 4})}, {2, 1, 0})
                  .empty());
}

TEST(Pooling, RefusesUnknownEnumerators) {
  auto descriptor = DescribePooling(static_cast<PoolingMethod>(4), 1, 1);
  descriptor.rounding = static_cast<OutputRounding>(0);
  descriptor.padding_in_average = static_cast<PaddingInAverage>(9);
  EXPECT_EQ(GetRefusal(MakePoolingLayer(descriptor, {1, 1, 1}, {1, 1, 1})),
            "pooling method 4 is not supported, only Max (1), Average (2) and Lp (3); padding in "
            "average 9 is not supported, only Exclude (1) and Include (2); output rounding 0 is "
            "not supported, only Floor (1) and Ceiling (2)");
}

TEST(Pooling, LpNormsCountNoPadding) {
  auto descriptor = DescribePooling(PoolingMethod::kLp, 1, 2);
  descriptor.pads_begin[0] = 1;
  const FloatTensor input({1, 1, 3}, {3.0F, -4.0F, 0.0F});
  EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 3}),
            (std::vector<float>{3.0F, 5.0F, 4.0F}));
  descriptor.p = 1.0F;
  EXPECT_EQ(RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 3}),
            (std::vector<float>{3.0F, 7.0F, 4.0F}));
  descriptor.p = 3.0F;
  const auto cubic = RunLayer(LayerType::kPooling, descriptor, {input}, {1, 1, 3});
  ASSERT_EQ(cubic.size(), 3U);
  EXPECT_NEAR(cubic[1], std::cbrt(91.0F), 1e-5F);
}

TEST(Pooling, RefusesExponentsThatAreNone) {
  auto descriptor = DescribePooling(PoolingMethod::kLp, 1, 1);
  for (const float p : {0.0F, -1.0F, kNaN, kInfinity}) {
    descriptor.p = p;
    EXPECT_EQ(GetRefusal(MakePoolingLayer(descriptor, {1, 1, 1}, {1, 1, 1})),
              "p is not a finite number above 0");
  }
}

TEST(Pooling, RefusesOtherRanks) {
  const auto four = DescribePooling(PoolingMethod::kMax, 4, 1);
  EXPECT_EQ(GetRefusal(MakePoolingLayer(four, {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1})),
            "spatial rank 4 is not supported, only 1 to 3");
  const auto two = DescribePooling(PoolingMethod::kMax, 2, 1);
  EXPECT_EQ(GetRefusal(MakePoolingLayer(two, {1, 1, 1}, {1, 1, 1, 1})),
            "input 0 has rank 3, but must have rank 4 for spatial rank 2");
  EXPECT_EQ(GetRefusal(MakePoolingLayer(two, {1, 1, 1, 1}, {1, 1, 1})),
            "the output has rank 3, but must have rank 4 for spatial rank 2");
}

TEST(Pooling, RefusesAnEmptyKernelAndNoStride) {
  auto descriptor = DescribePooling(PoolingMethod::kMax, 1, 0);
  descriptor.strides[0] = 0;
  EXPECT_EQ(GetRefusal(MakePoolingLayer(descriptor, {1, 1, 4}, {1, 1, 4})),
            "the kernel of spatial axis 0 is 0, but must be 1 to 2147483647; the stride of spatial "
            "axis 0 is 0, but must be 1 to 2147483647");
}

TEST(Pooling, RefusesAnOutputOfAnotherShape) {
  auto descriptor = DescribePooling(PoolingMethod::kMax, 1, 2);
  descriptor.strides[0] = 2;
  EXPECT_EQ(GetRefusal(MakePoolingLayer(descriptor, {1, 1, 5}, {1, 1, 3})),
            "the output has shape [1, 1, 3], but the inputs give [1, 1, 2]");
  descriptor.rounding = OutputRounding::kCeiling;
  EXPECT_EQ(GetRefusal(MakePoolingLayer(descriptor, {1, 1, 5}, {1, 1, 4})),
            "the output has shape [1, 1, 4], but the inputs give [1, 1, 3]");
}

TEST(Pooling, RefusesOtherDataTypes) {
  const auto descriptor = DescribePooling(PoolingMethod::kMax, 1, 1);
  TestLayer layer = MakePoolingLayer(descriptor, {1, 1, 1}, {1, 1, 1});
  layer.outputs[0].data_type = DataType::kUInt8;
  EXPECT_EQ(GetRefusal(layer), "data type uint8 of the output differs from float32 of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
