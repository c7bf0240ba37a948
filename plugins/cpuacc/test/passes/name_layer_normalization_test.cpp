#include "test/passes/pass_case.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuacc_test {
namespace {

using Binary = BinaryOperation;
using Names = std::vector<std::string>;

constexpr float kEpsilon = 1e-5F;

/// How the inverse of the deviation is written.
enum class Inverse { kDivision, kReciprocal, kPower };

/// (x - mean) / sqrt(mean((x - mean)^2) + epsilon)
TensorId AddNormalization(NetworkCase& network, TensorId x, std::uint32_t axis, bool uses_power,
                          Inverse inverse) {
  const TensorId mean = AddReduce(network, ReduceOperation::kMean, x, axis);
  const TensorId centred = AddBinary(network, Binary::kSub, x, mean);
  const TensorId square = uses_power ? AddBinary(network, Binary::kPower, centred, 2.0F)
                                     : AddBinary(network, Binary::kMul, centred, centred);
  const TensorId variance = AddReduce(network, ReduceOperation::kMean, square, axis);
  const TensorId sum = AddBinary(network, Binary::kAdd, variance, kEpsilon);
  if (inverse == Inverse::kPower) {
    return AddBinary(network, Binary::kMul, centred,
                     AddBinary(network, Binary::kPower, sum, -0.5F));
  }
  const TensorId deviation = AddUnary(network, sum, UnaryOperation::kSqrt);
  if (inverse == Inverse::kDivision) return AddBinary(network, Binary::kDiv, centred, deviation);
  return AddBinary(network, Binary::kMul, centred,
                   AddUnary(network, deviation, UnaryOperation::kReciprocal));
}

TEST(NameLayerNormalization, KnowsItInEveryWriting) {
  for (const bool uses_power : {false, true}) {
    for (const Inverse inverse : {Inverse::kDivision, Inverse::kReciprocal, Inverse::kPower}) {
      NetworkCase network;
      const TensorId x = network.AddInput({2, 5, 12});
      TensorId y = AddNormalization(network, x, 2, uses_power, inverse);
      y = AddBinary(network, Binary::kMul, y, network.AddConstant({12}));
      network.AddOutput(AddBinary(network, Binary::kAdd, y, network.AddConstant({12})));
      EXPECT_EQ(ListNodes(network), Names{"LayerNormalization"});
      ExpectAsCpuRef(network);
    }
  }
}

TEST(NameLayerNormalization, GoesWithoutScaleAndBias) {
  NetworkCase network;
  const TensorId x = network.AddInput({2, 5, 12});
  const TensorId y = AddNormalization(network, x, 2, true, Inverse::kDivision);
  network.AddOutput(AddActivation(network, y, ActivationFunction::kRelu));
  EXPECT_EQ(ListNodes(network), Names{"LayerNormalization+"});
  ExpectAsCpuRef(network);
}

TEST(NameLayerNormalization, SpansSeveralAxesWithAScaleThatBroadcasts) {
  NetworkCase network;
  const TensorId x = network.AddInput({3, 5, 4});
  TensorId y = AddNormalization(network, x, 1, false, Inverse::kDivision);
  y = AddBinary(network, Binary::kMul, y, network.AddConstant({5, 1}));
  network.AddOutput(AddBinary(network, Binary::kAdd, y, network.AddConstant({5, 4})));
  EXPECT_EQ(ListNodes(network), Names{"LayerNormalization"});
  ExpectAsCpuRef(network);
}

/// (x - mean) * (gamma / sqrt(max(0, mean(x^2) - mean^2) + epsilon)) + beta, by sums.
TEST(NameLayerNormalization, KnowsTheDifferenceOfMoments) {
  NetworkCase network;
  const TensorId x = network.AddInput({2, 16});
  const float share = 1.0F / 16.0F;
  const TensorId mean = AddBinary(network, Binary::kMul,
                                  AddReduce(network, ReduceOperation::kSum, x, 1, false), share);
  const TensorId square = AddBinary(network, Binary::kMul, x, x);
  const TensorId mean_square = AddBinary(
      network, Binary::kMul, AddReduce(network, ReduceOperation::kSum, square, 1, false), share);
  const TensorId square_mean = AddBinary(network, Binary::kMul, mean, mean);
  const TensorId variance = AddBinary(network, Binary::kSub, mean_square, square_mean);
  const TensorId positive = AddBinary(network, Binary::kMaximum, 0.0F, variance);
  const TensorId sum =
      AddBinary(network, Binary::kAdd, AddReshape(network, positive, {2, 1}), kEpsilon);
  const TensorId inverse =
      AddUnary(network, AddUnary(network, sum, UnaryOperation::kSqrt), UnaryOperation::kReciprocal);
  const TensorId scale = AddBinary(network, Binary::kMul, network.AddConstant({1, 16}), inverse);
  const TensorId centred = AddBinary(network, Binary::kSub, x, AddReshape(network, mean, {2, 1}));
  const TensorId y = AddBinary(network, Binary::kMul, centred, scale);
  network.AddOutput(AddBinary(network, Binary::kAdd, y, network.AddConstant({1, 16})));
  EXPECT_EQ(ListNodes(network), Names{"LayerNormalization"});
  ExpectAsCpuRef(network);
}

TEST(NameLayerNormalization, LeavesAMeanOverOtherAxes) {
  NetworkCase network;
  const TensorId x = network.AddInput({2, 5, 5});
  const TensorId mean = AddReduce(network, ReduceOperation::kMean, x, 2, false);
  const TensorId centred =
      AddBinary(network, Binary::kSub, x, AddReshape(network, mean, {2, 1, 5}));
  const TensorId square = AddBinary(network, Binary::kMul, centred, centred);
  const TensorId variance = AddReduce(network, ReduceOperation::kMean, square, 2);
  const TensorId sum = AddBinary(network, Binary::kAdd, variance, kEpsilon);
  network.AddOutput(
      AddBinary(network, Binary::kDiv, centred, AddUnary(network, sum, UnaryOperation::kSqrt)));
  for (const std::string& name : ListNodes(network)) EXPECT_NE(name, "LayerNormalization");
  ExpectAsCpuRef(network);
}

TEST(ReduceSquares, TakesTheSquareIntoTheSum) {
  for (const ReduceOperation operation : {ReduceOperation::kSum, ReduceOperation::kMean}) {
    NetworkCase network;
    const TensorId x = network.AddInput({3, 7});
    const TensorId square = AddBinary(network, Binary::kMul, x, x);
    network.AddOutput(AddReduce(network, operation, square, 1));
    EXPECT_EQ(ListNodes(network), Names{operation == ReduceOperation::kSum ? "Reduce" : "Reduce+"});
    ExpectAsCpuRef(network);
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
