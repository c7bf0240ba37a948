#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

TransposedConvolutionDescriptor DescribeTransposedConvolution(std::uint32_t spatial_rank) {
  TransposedConvolutionDescriptor descriptor;
  descriptor.spatial_rank = spatial_rank;
  return descriptor;
}

std::vector<float> Convolve(const TransposedConvolutionDescriptor& descriptor,
                            const std::vector<FloatTensor>& inputs, const TensorShape& output) {
  return RunLayer(LayerType::kTransposedConvolution, descriptor, inputs, output);
}

TestLayer MakeTransposedConvolutionLayer(const TransposedConvolutionDescriptor& descriptor,
                                         const TensorShape& input, const TensorShape& weights,
                                         const TensorShape& output) {
  return {LayerType::kTransposedConvolution,
          descriptor,
          {TensorInfo(input, DataType::kFloat32), TensorInfo(weights, DataType::kFloat32)},
          TensorInfo(output, DataType::kFloat32)};
}

TEST(TransposedConvolution, SpreadsEachElementOverAWindow) {
  auto descriptor = DescribeTransposedConvolution(1);
  descriptor.strides[0] = 2;
  const FloatTensor input({1, 1, 2}, {1, 10});
  const FloatTensor weights({1, 1, 3}, {1, 2, 3});
  EXPECT_EQ(Convolve(descriptor, {input, weights}, {1, 1, 5}),
            (std::vector<float>{1, 2, 13, 20, 30}));
  descriptor.pads_begin[0] = 1;
  descriptor.output_padding[0] = 2;
  EXPECT_EQ(Convolve(descriptor, {input, weights, FloatTensor({1}, {5})}, {1, 1, 6}),
            (std::vector<float>{7, 18, 25, 35, 5, 5}));
}

TEST(TransposedConvolution, LeavesGapsWhereTheStrideIsWiderThanTheKernel) {
  auto descriptor = DescribeTransposedConvolution(1);
  descriptor.strides[0] = 3;
  EXPECT_EQ(Convolve(descriptor, {FloatTensor({1, 1, 2}, {1, 2}), FloatTensor({1, 1, 1}, {4})},
                     {1, 1, 4}),
            (std::vector<float>{4, 0, 0, 8}));
}

/// Element by element, as the definition spreads them.
std::vector<double> ComputeTransposedConvolution(const TransposedConvolutionDescriptor& descriptor,
                                                 const FloatTensor& input,
                                                 const FloatTensor& weights,
                                                 const TensorShape& output) {
  std::vector<double> sums(static_cast<std::size_t>(output.GetNumElements()));
  for (std::int64_t i = 0; i < input.shape.GetNumElements(); ++i) {
    const auto at = GetIndices(input.shape, i);
    for (std::int64_t m = 0; m < weights.shape[1]; ++m) {
      for (std::int64_t y = 0; y < weights.shape[2]; ++y) {
        for (std::int64_t x = 0; x < weights.shape[3]; ++x) {
          const std::int64_t row = at[2] * descriptor.strides[0] + y - descriptor.pads_begin[0];
          const std::int64_t column = at[3] * descriptor.strides[1] + x - descriptor.pads_begin[1];
          if (row < 0 || row >= output[2] || column < 0 || column >= output[3]) continue;
          const std::int64_t element =
              ((at[0] * output[1] + m) * output[2] + row) * output[3] + column;
          sums[static_cast<std::size_t>(element)] +=
              GetElement(input, at) * GetElement(weights, {at[1], m, y, x});
        }
      }
    }
  }
  return sums;
}

// More than are multiplied at once.
TEST(TransposedConvolution, ComputesManyChannelsAndWideRows) {
  Random random(72);
  auto descriptor = DescribeTransposedConvolution(2);
  std::fill_n(descriptor.strides, 2, 2U);
  std::fill_n(descriptor.pads_begin, 2, 1U);
  std::fill_n(descriptor.pads_end, 2, 1U);
  const FloatTensor input = random.Tensor({1, 66, 2, 270});
  const FloatTensor weights = random.Tensor({66, 2, 3, 4});
  const TensorShape output = {1, 2, 3, 540};
  const auto expected = ComputeTransposedConvolution(descriptor, input, weights, output);
  const auto result = Convolve(descriptor, {input, weights}, output);
  ASSERT_EQ(result.size(), expected.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(result[i]), expected[i], 1e-3) << "element " << i;
  }
}

TEST(TransposedConvolution, CropsEverythingButTheMiddle) {
  auto descriptor = DescribeTransposedConvolution(1);
  descriptor.pads_begin[0] = 2;
  descriptor.pads_end[0] = 2;
  EXPECT_EQ(
      Convolve(descriptor, {FloatTensor({1, 1, 3}, {1, 2, 3}), FloatTensor({1, 1, 3}, {1, 1, 1})},
               {1, 1, 1}),
      std::vector<float>{6.0F});
  descriptor.pads_end[0] = 3;
  EXPECT_TRUE(
      Convolve(descriptor, {FloatTensor({1, 1, 3}), FloatTensor({1, 1, 3})}, {1, 1, 0}).empty());
}

TEST(TransposedConvolution, WithoutChannelsHasTheBiasOnly) {
  EXPECT_EQ(Convolve(DescribeTransposedConvolution(1),
                     {FloatTensor({1, 0, 2}), FloatTensor({0, 2, 1}), FloatTensor({2}, {3, 4})},
                     {1, 2, 2}),
            (std::vector<float>{3, 3, 4, 4}));
}

TEST(TransposedConvolution, TakesEmptyTensors) {
  EXPECT_TRUE(Convolve(DescribeTransposedConvolution(1),
                       {FloatTensor({0, 1, 2}), FloatTensor({1, 1, 2})}, {0, 1, 3})
                  .empty());
}

TEST(TransposedConvolution, RefusesGroupsAndChannelsThatDoNotFit) {
  auto descriptor = DescribeTransposedConvolution(1);
  descriptor.groups = 2;
  EXPECT_EQ(GetRefusal(MakeTransposedConvolutionLayer(descriptor, {1, 3, 4}, {2, 1, 1}, {1, 2, 4})),
            "groups is 2, but must be 1 or more and divide 3 input channels; input 1 (weights) has "
            "2 channels, but must have 3 as input 0");
}

TEST(TransposedConvolution, RefusesABiasOfAnotherShape) {
  auto descriptor = DescribeTransposedConvolution(1);
  descriptor.groups = 2;
  TestLayer layer = MakeTransposedConvolutionLayer(descriptor, {1, 2, 4}, {2, 3, 1}, {1, 6, 4});
  layer.inputs.emplace_back(TensorShape{3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal(layer), "input 2 (bias) has shape [3], but must have [6]");
}

TEST(TransposedConvolution, RefusesPaddingThatLeavesNothing) {
  auto descriptor = DescribeTransposedConvolution(1);
  descriptor.pads_begin[0] = 9;
  EXPECT_EQ(GetRefusal(MakeTransposedConvolutionLayer(descriptor, {1, 1, 4}, {1, 1, 2}, {1, 1, 0})),
            "the windows of spatial axis 0 leave no output");
}

TEST(TransposedConvolution, RefusesAnOutputOfAnotherShape) {
  EXPECT_EQ(GetRefusal(MakeTransposedConvolutionLayer(DescribeTransposedConvolution(1), {1, 1, 4},
                                                      {1, 2, 2}, {1, 2, 6})),
            "the output has shape [1, 2, 6], but the inputs give [1, 2, 5]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
