#include "test/passes/pass_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/batch_normalization.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>
#include <backplane/api/descriptors/transposed_convolution.hpp>

namespace backplane {
namespace cpuacc_test {
namespace {

using Names = std::vector<std::string>;

TensorId AddBatchNormalization(NetworkCase& network, TensorId input) {
  const TensorShape shape = network.GetShape(input);
  const std::vector<TensorId> inputs = {
      input, network.AddConstant({shape[1]}), network.AddConstant({shape[1]}),
      network.AddConstant({shape[1]}), network.AddConstant({shape[1]}, 0.7F)};
  return network.Add(LayerType::kBatchNormalization, BatchNormalizationDescriptor(), inputs, shape);
}

TEST(FoldIntoWeights, TakesBatchNormalizationWithAndWithoutBias) {
  for (const bool has_bias : {false, true}) {
    NetworkCase network;
    const TensorId product = AddPointwise(network, network.AddInput({2, 5, 4, 3}), 7, has_bias);
    network.AddOutput(AddBatchNormalization(network, product));
    EXPECT_EQ(ListNodes(network), Names{"Convolution"});
    ExpectAsCpuRef(network);
  }
}

TEST(FoldIntoWeights, TakesSeveralOneAfterTheOther) {
  NetworkCase network;
  TensorId x = AddPointwise(network, network.AddInput({1, 5, 4, 3}), 7);
  x = AddBinary(network, BinaryOperation::kMul, x, network.AddConstant({7, 1, 1}));
  x = AddBinary(network, BinaryOperation::kAdd, network.AddConstant({1, 7, 1, 1}), x);
  x = AddBinary(network, BinaryOperation::kSub, 2.0F, x);
  network.AddOutput(AddActivation(network, x, ActivationFunction::kRelu));
  EXPECT_EQ(ListNodes(network), Names{"Convolution+"});
  ExpectAsCpuRef(network);
}

TEST(FoldIntoWeights, ScalesGroupsOfATransposedConvolution) {
  NetworkCase network;
  TransposedConvolutionDescriptor descriptor;
  descriptor.groups = 2;
  descriptor.strides[0] = descriptor.strides[1] = 2;
  const TensorId x = network.AddInput({1, 4, 3, 5});
  const TensorId product = network.Add(LayerType::kTransposedConvolution, descriptor,
                                       {x, network.AddConstant({4, 3, 3, 2})}, {1, 6, 7, 10});
  network.AddOutput(AddBatchNormalization(network, product));
  EXPECT_EQ(ListNodes(network), Names{"TransposedConvolution+"});  // the bias
  ExpectAsCpuRef(network);
}

TEST(FoldIntoWeights, ScalesColumnsOfMatricesBothWaysRound) {
  for (const std::uint32_t is_transposed : {0U, 1U}) {
    NetworkCase network;
    FullyConnectedDescriptor descriptor;
    descriptor.transpose_weights = is_transposed;
    const TensorId weights =
        is_transposed != 0 ? network.AddConstant({6, 9}) : network.AddConstant({9, 6});
    TensorId x = network.Add(LayerType::kFullyConnected, descriptor,
                             {network.AddInput({3, 9}), weights}, {3, 6});
    x = AddBinary(network, BinaryOperation::kDiv, x, network.AddConstant({6}));
    network.AddOutput(AddBinary(network, BinaryOperation::kAdd, x, network.AddConstant({1, 6})));
    EXPECT_EQ(ListNodes(network), Names{"FullyConnected"});
    ExpectAsCpuRef(network);
  }
}

TEST(FoldIntoWeights, LeavesWhatIsNotTheSameForAWholeChannel) {
  NetworkCase network;
  const TensorId product = AddPointwise(network, network.AddInput({1, 5, 4, 3}), 7);
  network.AddOutput(
      AddBinary(network, BinaryOperation::kMul, product, network.AddConstant({7, 4, 1})));
  EXPECT_EQ(ListNodes(network), Names{"Convolution+"});
  ExpectAsCpuRef(network);
}

TEST(FoldIntoWeights, LeavesAProductThatOthersRead) {
  NetworkCase network;
  const TensorId product = AddPointwise(network, network.AddInput({1, 5, 4, 3}), 7);
  network.AddOutput(AddBatchNormalization(network, product));
  network.AddOutput(product);
  EXPECT_EQ(ListNodes(network), (Names{"Convolution", "Elements++"}));
  ExpectAsCpuRef(network);
}

TEST(FoldIntoWeights, ReachesThroughAReshape) {
  NetworkCase network;
  const TensorId product = AddPointwise(network, network.AddInput({1, 5, 12, 1}), 7);
  const TensorId lines = AddReshape(network, product, {1, 7, 12});
  const TensorId sum =
      AddBinary(network, BinaryOperation::kAdd, lines, network.AddConstant({7, 1}));
  network.AddOutput(AddActivation(network, sum, ActivationFunction::kTanH));
  EXPECT_EQ(ListNodes(network), (Names{"Convolution+", "Reshape"}));
  ExpectAsCpuRef(network);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
