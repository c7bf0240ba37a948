#include "test/float_case.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

ConvolutionDescriptor DescribeConvolution(std::uint32_t spatial_rank) {
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = spatial_rank;
  return descriptor;
}

/// The output shape by counting the positions at which the window fits.
TensorShape CountPositionsConvolution(const TensorShape& input, const TensorShape& weights,
                                      const ConvolutionDescriptor& descriptor) {
  TensorShape output = {input[0], weights[0]};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    const std::int64_t padded = input[i + 2] + descriptor.pads_begin[i] + descriptor.pads_end[i];
    const std::int64_t window = (weights[i + 2] - 1) * descriptor.dilations[i];
    std::int64_t count = 0;
    for (std::int64_t at = 0; at + window < padded; at += descriptor.strides[i]) ++count;
    output.Append(count);
  }
  return output;
}

void ExpectComputesConvolution(const std::vector<FloatTensor>& inputs,
                               const ConvolutionDescriptor& descriptor) {
  const TensorShape output =
      CountPositionsConvolution(inputs[0].shape, inputs[1].shape, descriptor);
  ExpectAsOracle(GetOracleOfConvolution(), descriptor, inputs, output);
}

TestLayer MakeConvolutionLayer(const ConvolutionDescriptor& descriptor,
                               const std::vector<TensorShape>& inputs, const TensorShape& output) {
  TestLayer layer(LayerType::kConvolution, descriptor, {}, TensorInfo(output, DataType::kFloat32));
  for (const TensorShape& shape : inputs) layer.inputs.emplace_back(shape, DataType::kFloat32);
  return layer;
}

TEST(Convolution, ComputesRandomLayersOfEverySpatialRank) {
  Random random(6);
  for (int round = 0; round < 300; ++round) {
    ConvolutionDescriptor descriptor = DescribeConvolution(random.Word(1, kMaxSpatialRank));
    descriptor.groups = random.Word(1, 3);
    const std::int64_t group_channels = random.Integer(1, 5);
    TensorShape input = {random.Integer(1, 2), group_channels * descriptor.groups};
    TensorShape weights = {random.Integer(1, 7) * descriptor.groups, group_channels};
    for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
      input.Append(random.Integer(1, 9));
      weights.Append(random.Integer(1, 4));
      descriptor.strides[i] = random.Word(1, 3);
      descriptor.dilations[i] = random.Word(1, 3);
      descriptor.pads_begin[i] = random.Word(0, 4);
      descriptor.pads_end[i] = random.Word(0, 4);
    }
    std::vector<FloatTensor> inputs = {random.Tensor(input), random.Tensor(weights)};
    if (random.Integer(0, 1) == 1) inputs.push_back(random.Tensor({weights[0]}));
    ExpectComputesConvolution(inputs, descriptor);
  }
}

TEST(Convolution, ComputesPointwiseLayersOfEverySpatialRank) {
  Random random(7);
  ExpectComputesConvolution({random.Tensor({2, 3, 5}), random.Tensor({4, 3, 1})},
                            DescribeConvolution(1));
  ExpectComputesConvolution({random.Tensor({2, 3, 5, 4}), random.Tensor({4, 3, 1, 1})},
                            DescribeConvolution(2));
  ExpectComputesConvolution({random.Tensor({2, 3, 5, 4, 2}), random.Tensor({4, 3, 1, 1, 1})},
                            DescribeConvolution(3));
  ExpectComputesConvolution({random.Tensor({2, 3, 5, 4, 2}), random.Tensor({4, 3, 3, 1, 1})},
                            DescribeConvolution(3));
  ExpectComputesConvolution({random.Tensor({2, 3, 5, 4, 2}), random.Tensor({4, 3, 1, 1, 2})},
                            DescribeConvolution(3));
}

/// Longer sums lose more.
void ExpectComputesNearly(const std::vector<FloatTensor>& inputs,
                          const ConvolutionDescriptor& descriptor) {
  const TensorShape output =
      CountPositionsConvolution(inputs[0].shape, inputs[1].shape, descriptor);
  const auto result = RunLayer(LayerType::kConvolution, descriptor, inputs, output);
  const LayerCase layer = MakeCase(LayerType::kConvolution, descriptor, {}, output);
  const std::vector<double> expected = AskOracle(GetOracleOfConvolution(), layer, inputs);
  ASSERT_EQ(result.size(), expected.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(result[i]), expected[i], 1e-3) << "element " << i;
  }
}

// More than are laid out and multiplied at once.
TEST(Convolution, ComputesManyFiltersChannelsAndPositions) {
  Random random(73);
  ConvolutionDescriptor descriptor = DescribeConvolution(2);
  descriptor.pads_begin[0] = descriptor.pads_begin[1] = descriptor.pads_end[1] = 1;
  descriptor.strides[0] = 2;
  ExpectComputesNearly({random.Tensor({2, 33, 9, 15}), random.Tensor({39, 33, 3, 3})}, descriptor);
  ExpectComputesNearly({random.Tensor({1, 70, 9, 30}), random.Tensor({5, 70, 1, 1})},
                       DescribeConvolution(2));
  descriptor.groups = 2;
  ExpectComputesNearly({random.Tensor({1, 80, 9, 15}), random.Tensor({6, 40, 3, 3})}, descriptor);
  descriptor.strides[1] = 2;
  ExpectComputesNearly({random.Tensor({1, 4, 2, 599}), random.Tensor({6, 2, 3, 3})}, descriptor);
}

TEST(Convolution, ComputesFewFiltersInFarPadding) {
  Random random(74);
  ConvolutionDescriptor descriptor = DescribeConvolution(1);
  descriptor.dilations[0] = descriptor.pads_begin[0] = 400000000;
  ExpectComputesConvolution({random.Tensor({1, 1, 3}), random.Tensor({1, 1, 2})}, descriptor);
}

TEST(Convolution, ComputesADepthwiseLayer) {
  Random random(8);
  ConvolutionDescriptor descriptor = DescribeConvolution(2);
  descriptor.groups = 5;
  descriptor.pads_begin[0] = descriptor.pads_begin[1] = 1;
  descriptor.pads_end[0] = descriptor.pads_end[1] = 1;
  ExpectComputesConvolution(
      {random.Tensor({1, 5, 9, 33}), random.Tensor({10, 1, 3, 3}), random.Tensor({10})},
      descriptor);
}

TEST(Convolution, TakesAKernelLargerThanTheInputWithPadding) {
  Random random(9);
  ConvolutionDescriptor descriptor = DescribeConvolution(2);
  descriptor.pads_begin[0] = descriptor.pads_end[0] = 2;
  descriptor.pads_begin[1] = descriptor.pads_end[1] = 3;
  ExpectComputesConvolution({random.Tensor({1, 2, 1, 2}), random.Tensor({3, 2, 5, 7})}, descriptor);
}

TEST(Convolution, WindowsInThePaddingGiveTheBias) {
  ConvolutionDescriptor descriptor = DescribeConvolution(1);
  descriptor.pads_begin[0] = 2;
  descriptor.pads_end[0] = 2;
  EXPECT_EQ(RunLayer(LayerType::kConvolution, descriptor,
                     {FloatTensor({1, 1, 1}, {3.0F}), FloatTensor({1, 1, 1}, {2.0F}),
                      FloatTensor({1}, {0.5F})},
                     {1, 1, 5}),
            (std::vector<float>{0.5F, 0.5F, 6.5F, 0.5F, 0.5F}));
}

TEST(Convolution, NoInputChannelsGiveTheBias) {
  EXPECT_EQ(
      RunLayer(LayerType::kConvolution, DescribeConvolution(1),
               {FloatTensor({1, 0, 3}), FloatTensor({2, 0, 2}), FloatTensor({2}, {1.0F, -1.0F})},
               {1, 2, 2}),
      (std::vector<float>{1.0F, 1.0F, -1.0F, -1.0F}));
}

TEST(Convolution, AnEmptyInputWithPaddingGivesTheBias) {
  ConvolutionDescriptor descriptor = DescribeConvolution(2);
  descriptor.pads_begin[0] = descriptor.pads_begin[1] = 1;
  descriptor.pads_end[0] = descriptor.pads_end[1] = 1;
  EXPECT_EQ(
      RunLayer(LayerType::kConvolution, descriptor,
               {FloatTensor({1, 2, 0, 1}), FloatTensor({1, 2, 2, 3}), FloatTensor({1}, {4.0F})},
               {1, 1, 1, 1}),
      std::vector<float>{4.0F});
}

TEST(Convolution, TakesAnEmptyBatch) {
  EXPECT_TRUE(RunLayer(LayerType::kConvolution, DescribeConvolution(1),
                       {FloatTensor({0, 1, 3}), FloatTensor({2, 1, 2})}, {0, 2, 2})
                  .empty());
}

TEST(Convolution, RefusesSpatialRanksOtherThanOneToThree) {
  const auto zero = DescribeConvolution(0);
  EXPECT_EQ(GetRefusal(MakeConvolutionLayer(zero, {{1, 1}, {1, 1}}, {1, 1})),
            "spatial rank 0 is not supported, only 1 to 3");
  const auto four = DescribeConvolution(4);
  EXPECT_EQ(
      GetRefusal(MakeConvolutionLayer(four, {{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}}, {1, 1})),
      "spatial rank 4 is not supported, only 1 to 3");
}

TEST(Convolution, RefusesTensorsOfAnotherRank) {
  const auto descriptor = DescribeConvolution(2);
  EXPECT_EQ(GetRefusal(MakeConvolutionLayer(descriptor, {{1, 1, 1}, {1, 1, 1, 1}}, {1, 1, 1, 1})),
            "input 0 has rank 3, but must have rank 4 for spatial rank 2");
  EXPECT_EQ(GetRefusal(MakeConvolutionLayer(descriptor, {{1, 1, 1, 1}, {1, 1}}, {1})),
            "input 1 (weights) has rank 2, but must have rank 4 for spatial rank 2; the output has "
            "rank 1, but must have rank 4 for spatial rank 2");
}

TEST(Convolution, RefusesGroupsThatDoNotDivide) {
  ConvolutionDescriptor descriptor = DescribeConvolution(1);
  for (const std::uint32_t groups : {0U, 2U}) {
    descriptor.groups = groups;
    EXPECT_EQ(GetRefusal(MakeConvolutionLayer(descriptor, {{1, 3, 4}, {4, 3, 1}}, {1, 4, 4})),
              "groups is " + std::to_string(groups) +
                  ", but must be 1 or more and divide 3 input channels and 4 output channels");
  }
}

TEST(Convolution, RefusesWeightsAndBiasThatDoNotFit) {
  ConvolutionDescriptor descriptor = DescribeConvolution(1);
  descriptor.groups = 2;
  EXPECT_EQ(GetRefusal(MakeConvolutionLayer(descriptor, {{1, 4, 4}, {6, 4, 1}, {4}}, {1, 6, 4})),
            "input 1 (weights) has 4 channels, but must have 2: 4 of input 0 in 2 groups; input 2 "
            "(bias) has shape [4], but must have [6]");
}

TEST(Convolution, RefusesAWindowThatDoesNotMove) {
  ConvolutionDescriptor descriptor = DescribeConvolution(2);
  descriptor.strides[1] = 0;
  descriptor.dilations[0] = 0;
  descriptor.pads_end[0] = 0x80000000U;
  EXPECT_EQ(
      GetRefusal(MakeConvolutionLayer(descriptor, {{1, 1, 4, 4}, {1, 1, 1, 0}}, {1, 1, 4, 4})),
      "the dilation of spatial axis 0 is 0, but must be 1 to 2147483647; the padding at the "
      "end of spatial axis 0 is 2147483648, but must be 0 to 2147483647; the kernel of "
      "spatial axis 1 is 0, but must be 1 to 2147483647; the stride of spatial axis 1 is 0, "
      "but must be 1 to 2147483647");
}

TEST(Convolution, RefusesAnOutputOfAnotherShape) {
  const auto descriptor = DescribeConvolution(1);
  EXPECT_EQ(GetRefusal(MakeConvolutionLayer(descriptor, {{2, 3, 8}, {4, 3, 3}}, {2, 4, 8})),
            "the output has shape [2, 4, 8], but the inputs give [2, 4, 6]");
}

TEST(Convolution, RefusesOtherDataTypes) {
  const auto descriptor = DescribeConvolution(1);
  TestLayer layer = MakeConvolutionLayer(descriptor, {{1, 1, 1}, {1, 1, 1}}, {1, 1, 1});
  layer.inputs[1].data_type = DataType::kInt8;
  EXPECT_EQ(GetRefusal(layer), "data type int8 of input 1 differs from float32 of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
