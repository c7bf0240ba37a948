#include "test/float_case.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

FullyConnectedDescriptor DescribeFullyConnected(std::uint32_t transpose_weights) {
  FullyConnectedDescriptor descriptor;
  descriptor.transpose_weights = transpose_weights;
  return descriptor;
}

TestLayer MakeFullyConnectedLayer(const FullyConnectedDescriptor& descriptor,
                                  const std::vector<TensorShape>& inputs,
                                  const TensorShape& output) {
  TestLayer layer(LayerType::kFullyConnected, descriptor, {},
                  TensorInfo(output, DataType::kFloat32));
  for (const TensorShape& shape : inputs) layer.inputs.emplace_back(shape, DataType::kFloat32);
  return layer;
}

TEST(FullyConnected, ComputesRandomLayersWithAndWithoutBias) {
  Random random(12);
  for (int round = 0; round < 100; ++round) {
    const TensorShape output = random.Shape(2, 1, 20);
    const std::int64_t inner = random.Integer(1, 70);
    const std::uint32_t transpose = random.Word(0, 1);
    std::vector<FloatTensor> inputs = {random.Tensor({output[0], inner})};
    inputs.push_back(random.Tensor(transpose == 1 ? TensorShape{output[1], inner}
                                                  : TensorShape{inner, output[1]}));
    if (random.Integer(0, 1) == 1) inputs.push_back(random.Tensor({output[1]}));
    ExpectAsOracle(GetOracleOfFullyConnected(), DescribeFullyConnected(transpose), inputs, output);
  }
}

TEST(FullyConnected, NoElementsInARowGiveTheBias) {
  EXPECT_EQ(
      RunLayer(LayerType::kFullyConnected, DescribeFullyConnected(0),
               {FloatTensor({2, 0}), FloatTensor({0, 2}), FloatTensor({2}, {1.0F, 2.0F})}, {2, 2}),
      (std::vector<float>{1.0F, 2.0F, 1.0F, 2.0F}));
  EXPECT_EQ(RunLayer(LayerType::kFullyConnected, DescribeFullyConnected(1),
                     {FloatTensor({2, 0}), FloatTensor({2, 0})}, {2, 2}),
            std::vector<float>(4, 0.0F));
}

TEST(FullyConnected, TakesAnEmptyBatch) {
  EXPECT_TRUE(RunLayer(LayerType::kFullyConnected, DescribeFullyConnected(0),
                       {FloatTensor({0, 3}), FloatTensor({3, 2})}, {0, 2})
                  .empty());
}

TEST(FullyConnected, RefusesOtherRanksThanTwo) {
  const auto descriptor = DescribeFullyConnected(0);
  EXPECT_EQ(GetRefusal(MakeFullyConnectedLayer(descriptor, {{1, 2, 2}, {4}}, {1, 1})),
            "input 0 has rank 3, but must have rank 2; input 1 (weights) has rank 1, but must have "
            "rank 2");
}

TEST(FullyConnected, RefusesWeightsAndBiasThatDoNotFit) {
  const auto plain = DescribeFullyConnected(0);
  EXPECT_EQ(GetRefusal(MakeFullyConnectedLayer(plain, {{1, 3}, {2, 3}, {2}}, {1, 3})),
            "input 1 (weights) has shape [2, 3] and takes 2 elements in a row, but input 0 has 3; "
            "input 2 (bias) has shape [2], but must have [3]");
  const auto transposed = DescribeFullyConnected(1);
  EXPECT_EQ(GetRefusal(MakeFullyConnectedLayer(transposed, {{1, 3}, {3, 2}}, {1, 3})),
            "input 1 (weights) has shape [3, 2] transposed and takes 2 elements in a row, but "
            "input 0 has 3");
}

TEST(FullyConnected, RefusesAFlagThatIsNotZeroOrOne) {
  const auto descriptor = DescribeFullyConnected(5);
  EXPECT_EQ(GetRefusal(MakeFullyConnectedLayer(descriptor, {{1, 1}, {1, 1}}, {1, 1})),
            "transpose_weights is 5, but must be 0 or 1");
}

TEST(FullyConnected, RefusesAnOutputOfAnotherShape) {
  const auto descriptor = DescribeFullyConnected(0);
  EXPECT_EQ(GetRefusal(MakeFullyConnectedLayer(descriptor, {{2, 3}, {3, 4}}, {4, 2})),
            "the output has shape [4, 2], but the inputs give [2, 4]");
}

TEST(FullyConnected, RefusesOtherDataTypes) {
  const auto descriptor = DescribeFullyConnected(0);
  TestLayer layer = MakeFullyConnectedLayer(descriptor, {{1, 1}, {1, 1}, {1}}, {1, 1});
  layer.inputs[2].data_type = DataType::kFloat64;
  EXPECT_EQ(GetRefusal(layer), "data type float64 of input 2 differs from float32 of input 0");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
