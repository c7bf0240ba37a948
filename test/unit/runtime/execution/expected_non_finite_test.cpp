#include "execution/expected_non_finite.hpp"

#include <backplane/api/descriptors.hpp>

#include <gtest/gtest.h>

#include <memory>

namespace backplane::execution {
namespace {

using Ranges = std::vector<ValueRange>;

ValueRange From(double least, double greatest) {
  return {true, true, least, greatest};
}

Layer MakeLayer(LayerType type, std::shared_ptr<const BaseDescriptor> descriptor,
                DataType output = DataType::kFloat32) {
  Layer layer;
  layer.type = type;
  layer.descriptor = std::move(descriptor);
  layer.outputs = {{{4}, output}};
  return layer;
}

Layer MakeUnary(UnaryOperation operation, DataType output = DataType::kFloat32) {
  auto descriptor = std::make_shared<ElementwiseUnaryDescriptor>();
  descriptor->operation = operation;
  return MakeLayer(LayerType::kElementwiseUnary, descriptor, output);
}

Layer MakeBinary(BinaryOperation operation, DataType output = DataType::kFloat32) {
  auto descriptor = std::make_shared<ElementwiseBinaryDescriptor>();
  descriptor->operation = operation;
  return MakeLayer(LayerType::kElementwiseBinary, descriptor, output);
}

Layer MakeReduce(ReduceOperation operation) {
  auto descriptor = std::make_shared<ReduceDescriptor>();
  descriptor->operation = operation;
  return MakeLayer(LayerType::kReduce, descriptor);
}

bool Explains(const Layer& layer, const Ranges& ranges, DataType input = DataType::kFloat32) {
  return !ExplainNonFinite(layer, ranges, std::vector<DataType>(ranges.size(), input)).empty();
}

TEST(ExpectedNonFinite, FollowsWhereOneNumberIsNotDefined) {
  struct Row {
    UnaryOperation operation;
    ValueRange may;
    ValueRange must_not;
  };
  const Row rows[] = {
      {UnaryOperation::kSqrt, From(-0.1, 4), From(0, 1e30)},
      {UnaryOperation::kReciprocal, From(-1, 1), From(0.5, 1e30)},
      {UnaryOperation::kReciprocal, From(1e-39, 1), From(-8, -2)},
      {UnaryOperation::kExp, From(0, 89), From(-1e30, 88)},
      {UnaryOperation::kLog, From(0, 1), From(1e-30, 1e30)},
      {UnaryOperation::kAsin, From(-1, 1.5), From(-1, 1)},
      {UnaryOperation::kAcos, From(-2, 0), From(-1, 1)},
      {UnaryOperation::kSinh, From(-100, 0), From(-80, 80)},
      {UnaryOperation::kCosh, From(0, 100), From(-80, 80)},
      {UnaryOperation::kAcosh, From(0.5, 3), From(1, 3)},
      {UnaryOperation::kAtanh, From(0, 1), From(-0.5, 0.5)},
  };
  for (const Row& row : rows) {
    const Layer layer = MakeUnary(row.operation);
    EXPECT_TRUE(Explains(layer, {row.may})) << static_cast<int>(row.operation);
    EXPECT_FALSE(Explains(layer, {row.must_not})) << static_cast<int>(row.operation);
  }
  EXPECT_FALSE(Explains(MakeUnary(UnaryOperation::kSin), {From(-1e30, 1e30)}));
  EXPECT_TRUE(Explains(MakeUnary(UnaryOperation::kExp, DataType::kFloat16), {From(0, 12)}));
}

TEST(ExpectedNonFinite, FollowsWhereTwoNumbersAreNotDefinedOrTooLarge) {
  struct Row {
    BinaryOperation operation;
    Ranges may;
    Ranges must_not;
  };
  const Row rows[] = {
      {BinaryOperation::kAdd, {From(0, 3e38), From(0, 3e38)}, {From(0, 1e38), From(-1e38, 1)}},
      {BinaryOperation::kSub, {From(0, 3e38), From(-3e38, 0)}, {From(0, 1e38), From(-1e38, 1)}},
      {BinaryOperation::kMul, {From(0, 1e20), From(-1e20, 0)}, {From(0, 1e10), From(0, 1e10)}},
      {BinaryOperation::kDiv, {From(1, 2), From(0, 1)}, {From(1, 2), From(1, 2)}},
      {BinaryOperation::kDiv, {From(1, 1e30), From(1e-30, 1)}, {From(1, 2), From(-2, -1)}},
      {BinaryOperation::kPower, {From(-1, 2), From(0.5, 0.5)}, {From(0, 2), From(2, 2)}},
      {BinaryOperation::kPower, {From(0, 2), From(-1, 1)}, {From(1, 2), From(-1, 1)}},
      {BinaryOperation::kPower, {From(1, 10), From(1, 50)}, {From(1, 10), From(1, 20)}},
      {BinaryOperation::kModulo, {From(1, 2), From(-1, 1)}, {From(1, 2), From(1, 2)}},
      {BinaryOperation::kRemainder, {From(1, 2), From(0, 1)}, {From(1, 2), From(1, 2)}},
      {BinaryOperation::kSquaredDifference, {From(0, 1e20), From(0, 1)}, {From(0, 9), From(0, 9)}},
  };
  for (const Row& row : rows) {
    const Layer layer = MakeBinary(row.operation);
    EXPECT_TRUE(Explains(layer, row.may)) << static_cast<int>(row.operation);
    EXPECT_FALSE(Explains(layer, row.must_not)) << static_cast<int>(row.operation);
  }
  const Layer half = MakeBinary(BinaryOperation::kMul, DataType::kFloat16);
  EXPECT_TRUE(Explains(half, {From(0, 300), From(0, 300)}, DataType::kFloat16));
  EXPECT_FALSE(Explains(MakeBinary(BinaryOperation::kMaximum), {From(0, 3e38), From(0, 3e38)}));
}

TEST(ExpectedNonFinite, FollowsReductionsCastsAndNorms) {
  EXPECT_TRUE(Explains(MakeReduce(ReduceOperation::kMean), {ValueRange()}));
  EXPECT_FALSE(Explains(MakeReduce(ReduceOperation::kMean), {From(0, 1)}));
  EXPECT_TRUE(Explains(MakeReduce(ReduceOperation::kLogSum), {From(0, 1)}));
  EXPECT_FALSE(Explains(MakeReduce(ReduceOperation::kLogSum), {From(0.1, 1)}));
  EXPECT_TRUE(Explains(MakeReduce(ReduceOperation::kL2), {From(-1e20, 0)}));
  EXPECT_FALSE(Explains(MakeReduce(ReduceOperation::kSumSquare), {From(0, 1)}));

  const Layer cast =
      MakeLayer(LayerType::kCast, std::make_shared<NoDescriptor>(), DataType::kFloat16);
  EXPECT_TRUE(Explains(cast, {From(0, 70000)}));
  EXPECT_FALSE(Explains(cast, {From(0, 60000)}));
  EXPECT_TRUE(Explains(cast, {ValueRange()}, DataType::kInt32));
  const Layer wide = MakeLayer(LayerType::kCast, std::make_shared<NoDescriptor>());
  EXPECT_FALSE(Explains(wide, {ValueRange()}, DataType::kInt64));

  const Layer norm =
      MakeLayer(LayerType::kLpNormalization, std::make_shared<LpNormalizationDescriptor>());
  EXPECT_TRUE(Explains(norm, {From(0, 1)}));
  EXPECT_FALSE(Explains(norm, {From(0.5, 1)}));
}

ValueRange Times(std::uint64_t count, double least, double greatest) {
  ValueRange range = From(least, greatest);
  range.num_values = count;
  return range;
}

TEST(ExpectedNonFinite, FollowsSumsAndProductsOfManyNumbers) {
  EXPECT_TRUE(Explains(MakeReduce(ReduceOperation::kSum), {Times(100, 0, 1e37)}));
  EXPECT_FALSE(Explains(MakeReduce(ReduceOperation::kSum), {Times(10, 0, 1e37)}));
  EXPECT_TRUE(Explains(MakeReduce(ReduceOperation::kL1), {Times(100, -1e37, 0)}));
  EXPECT_TRUE(Explains(MakeReduce(ReduceOperation::kProduct), {Times(40, 1, 10)}));
  EXPECT_FALSE(Explains(MakeReduce(ReduceOperation::kProduct), {Times(30, 1, 10)}));
  EXPECT_TRUE(Explains(MakeReduce(ReduceOperation::kSumSquare), {Times(1000, 0, 1e18)}));
  for (const LayerType type : {LayerType::kBatchMatMul, LayerType::kFullyConnected,
                               LayerType::kConvolution, LayerType::kTransposedConvolution}) {
    const Layer layer = MakeLayer(type, std::make_shared<NoDescriptor>(), DataType::kFloat16);
    const ValueRange hundreds = Times(16, 0, 100);
    EXPECT_TRUE(Explains(layer, {hundreds, hundreds}, DataType::kFloat16));
    EXPECT_FALSE(Explains(layer, {Times(16, 0, 10), hundreds}, DataType::kFloat16));
  }
}

TEST(ExpectedNonFinite, FollowsActivationsThatMultiply) {
  const auto make = [](ActivationFunction function, float alpha, float beta) {
    auto descriptor = std::make_shared<ActivationDescriptor>();
    descriptor->function = function;
    descriptor->alpha = alpha;
    descriptor->beta = beta;
    return MakeLayer(LayerType::kActivation, descriptor);
  };
  EXPECT_TRUE(Explains(make(ActivationFunction::kLinear, 3, 0), {From(0, 3e38)}));
  EXPECT_TRUE(Explains(make(ActivationFunction::kLinear, 1, 1e38F), {From(0, 3e38)}));
  EXPECT_FALSE(Explains(make(ActivationFunction::kLinear, 0.5F, 1), {From(0, 3e38)}));
  EXPECT_TRUE(Explains(make(ActivationFunction::kLeakyRelu, 3, 1), {From(-3e38, 0)}));
  EXPECT_FALSE(Explains(make(ActivationFunction::kRelu, 3, 1), {From(-3e38, 3e38)}));
}

TEST(ExpectedNonFinite, AccusesAllOtherOperators) {
  const Layer layer = MakeLayer(LayerType::kSoftmax, std::make_shared<SoftmaxDescriptor>());
  EXPECT_FALSE(Explains(layer, {From(-3e38, 3e38)}));
  EXPECT_EQ(ExplainNonFinite(layer, {}, {}), "");
}

}  // namespace
}  // namespace backplane::execution
