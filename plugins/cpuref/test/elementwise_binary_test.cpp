#include "test/float_case.hpp"
#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

constexpr BinaryOperation kOperations[] = {BinaryOperation::kAdd,     BinaryOperation::kSub,
                                           BinaryOperation::kMul,     BinaryOperation::kDiv,
                                           BinaryOperation::kMaximum, BinaryOperation::kMinimum};

ElementwiseBinaryDescriptor DescribeElementwiseBinary(BinaryOperation operation) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return descriptor;
}

void ExpectCombines(BinaryOperation operation, const FloatTensor& a, const FloatTensor& b,
                    const TensorShape& output) {
  ExpectAsOracle(GetOracleOfElementwiseBinary(), DescribeElementwiseBinary(operation), {a, b},
                 output);
}

/// Divisors are kept away from 0, where float32 and double part.
FloatTensor MakeOperand(const TensorShape& shape, Random& random) {
  FloatTensor operand = random.Tensor(shape);
  for (float& element : operand.data) element += element < 0.0F ? -0.5F : 0.5F;
  return operand;
}

TestLayer MakeElementwiseBinaryLayer(const ElementwiseBinaryDescriptor& descriptor,
                                     const TensorShape& a, const TensorShape& b,
                                     const TensorShape& output) {
  return {LayerType::kElementwiseBinary,
          descriptor,
          {TensorInfo(a, DataType::kFloat32), TensorInfo(b, DataType::kFloat32)},
          TensorInfo(output, DataType::kFloat32)};
}

TEST(ElementwiseBinary, CombinesRandomShapesWithBroadcasting) {
  Random random(10);
  for (int round = 0; round < 300; ++round) {
    const TensorShape full = random.Shape(random.Word(0, kMaxRank), 1, 3);
    TensorShape shapes[2];
    for (TensorShape& shape : shapes) {
      for (std::uint32_t axis = random.Word(0, full.rank); axis < full.rank; ++axis) {
        shape.Append(random.Integer(0, 1) == 0 ? 1 : full[axis]);
      }
    }
    TensorShape output;
    for (std::uint32_t i = std::max(shapes[0].rank, shapes[1].rank); i-- > 0;) {
      std::int64_t extent = 1;
      for (const TensorShape& shape : shapes) {
        if (i < shape.rank) extent = std::max(extent, shape[shape.rank - 1 - i]);
      }
      output.Append(extent);
    }
    ExpectCombines(kOperations[round % 6], MakeOperand(shapes[0], random),
                   MakeOperand(shapes[1], random), output);
  }
}

TEST(ElementwiseBinary, CombinesLongRows) {
  Random random(11);
  for (const BinaryOperation operation : kOperations) {
    const FloatTensor tensor = MakeOperand({3, 67}, random);
    ExpectCombines(operation, tensor, MakeOperand({3, 67}, random), {3, 67});
    ExpectCombines(operation, tensor, MakeOperand({}, random), {3, 67});
    ExpectCombines(operation, MakeOperand({3, 1}, random), tensor, {3, 67});
    ExpectCombines(operation, tensor, MakeOperand({67}, random), {3, 67});
  }
}

TEST(ElementwiseBinary, CombinesScalars) {
  ExpectCombines(BinaryOperation::kSub, FloatTensor({}, {5.0F}), FloatTensor({}, {3.0F}), {});
}

TEST(ElementwiseBinary, BroadcastsOneOverAnEmptyAxis) {
  EXPECT_TRUE(RunLayer(LayerType::kElementwiseBinary,
                       DescribeElementwiseBinary(BinaryOperation::kAdd),
                       {FloatTensor({2, 0}), FloatTensor({2, 1})}, {2, 0})
                  .empty());
}

TEST(ElementwiseBinary, DividesByZeroAsFloatsDo) {
  const auto result =
      RunLayer(LayerType::kElementwiseBinary, DescribeElementwiseBinary(BinaryOperation::kDiv),
               {FloatTensor({3}, {1.0F, -1.0F, 0.0F}), FloatTensor({1})}, {3});
  ASSERT_EQ(result.size(), 3U);
  EXPECT_EQ(result[0], kInfinity);
  EXPECT_EQ(result[1], -kInfinity);
  EXPECT_TRUE(std::isnan(result[2]));
}

TEST(ElementwiseBinary, MaximumAndMinimumKeepNaNOfEitherSide) {
  const FloatTensor a({4}, {kNaN, 1.0F, -kInfinity, kNaN});
  const FloatTensor b({4}, {1.0F, kNaN, 2.0F, kNaN});
  for (const BinaryOperation operation : {BinaryOperation::kMaximum, BinaryOperation::kMinimum}) {
    const auto result =
        RunLayer(LayerType::kElementwiseBinary, DescribeElementwiseBinary(operation), {a, b}, {4});
    ASSERT_EQ(result.size(), 4U);
    EXPECT_TRUE(std::isnan(result[0]));
    EXPECT_TRUE(std::isnan(result[1]));
    EXPECT_EQ(result[2], operation == BinaryOperation::kMaximum ? 2.0F : -kInfinity);
    EXPECT_TRUE(std::isnan(result[3]));
  }
}

template <typename Element>
std::vector<Element> CombineStored(BinaryOperation operation, DataType type,
                                   const std::vector<Element>& a, const std::vector<Element>& b) {
  const StoredTensor first = MakeStored(type, a);
  return GetStored<Element>(RunStored(LayerType::kElementwiseBinary,
                                      DescribeElementwiseBinary(operation),
                                      {first, MakeStored(type, b)}, first.info));
}

std::vector<float> CombineFloats(BinaryOperation operation, const std::vector<float>& a,
                                 const std::vector<float>& b) {
  return CombineStored(operation, DataType::kFloat32, a, b);
}

TEST(ElementwiseBinary, ModuloHasTheSignOfTheDivisorAndRemainderThatOfTheDividend) {
  const std::vector<std::int32_t> a = {7, -7, 7, -7, 6, INT32_MIN, 5};
  const std::vector<std::int32_t> b = {3, 3, -3, -3, 3, -1, 0};
  EXPECT_EQ(CombineStored(BinaryOperation::kModulo, DataType::kInt32, a, b),
            (std::vector<std::int32_t>{1, 2, -2, -1, 0, 0, 0}));
  EXPECT_EQ(CombineStored(BinaryOperation::kRemainder, DataType::kInt32, a, b),
            (std::vector<std::int32_t>{1, -1, 1, -1, 0, 0, 0}));
  const std::vector<float> reals = {7.5F, -7.5F, 7.5F, -7.5F};
  const std::vector<float> divisors = {2.0F, 2.0F, -2.0F, -2.0F};
  EXPECT_EQ(CombineFloats(BinaryOperation::kModulo, reals, divisors),
            (std::vector<float>{1.5F, 0.5F, -0.5F, -1.5F}));
  EXPECT_EQ(CombineFloats(BinaryOperation::kRemainder, reals, divisors),
            (std::vector<float>{1.5F, -1.5F, 1.5F, -1.5F}));
}

TEST(ElementwiseBinary, WhatIsLeftOfTheWidestIntegersIsExact) {
  EXPECT_EQ(CombineStored<std::int64_t>(BinaryOperation::kModulo, DataType::kInt64,
                                        {INT64_MIN, INT64_MIN, INT64_MAX}, {-1, 10, INT64_MIN}),
            (std::vector<std::int64_t>{0, 2, -1}));
  EXPECT_EQ(CombineStored<std::uint64_t>(BinaryOperation::kModulo, DataType::kUInt64,
                                         {UINT64_MAX, 3, 3}, {UINT64_MAX - 1, UINT64_MAX, 0}),
            (std::vector<std::uint64_t>{1, 3, 0}));
}

TEST(ElementwiseBinary, NothingIsLeftOfInfinityAndByZero) {
  for (const BinaryOperation operation : {BinaryOperation::kModulo, BinaryOperation::kRemainder}) {
    const auto result = CombineFloats(operation, {kInfinity, 1.0F, kNaN}, {2.0F, 0.0F, 1.0F});
    for (const float element : result) EXPECT_TRUE(std::isnan(element));
    EXPECT_EQ(CombineFloats(operation, {1.5F}, {kInfinity}), std::vector<float>{1.5F});
  }
}

TEST(ElementwiseBinary, PowersOfIntegersWrapAndNegativeExponentsRoundTowardsZero) {
  EXPECT_EQ(
      CombineStored<std::int8_t>(BinaryOperation::kPower, DataType::kInt8,
                                 {2, 3, -2, 0, -1, -1, 1, 2, 0}, {7, 4, 3, 0, -3, -2, -5, -1, -1}),
      (std::vector<std::int8_t>{-128, 81, -8, 1, -1, 1, 1, 0, 0}));
  EXPECT_EQ(CombineStored<std::int64_t>(BinaryOperation::kPower, DataType::kInt64, {-1, -1, 3, 1},
                                        {INT64_MIN, INT64_MAX, 40, INT64_MIN}),
            (std::vector<std::int64_t>{1, -1, -6289078614652622815, 1}));
  EXPECT_EQ(CombineStored<std::uint64_t>(BinaryOperation::kPower, DataType::kUInt64,
                                         {2, 2, UINT64_MAX}, {63, 64, UINT64_MAX}),
            (std::vector<std::uint64_t>{std::uint64_t{1} << 63U, 0, UINT64_MAX}));
}

TEST(ElementwiseBinary, PowersOfFloatsAreThoseOfTheStandard) {
  const auto result =
      CombineFloats(BinaryOperation::kPower, {-8.0F, 0.0F, 0.0F, kNaN, 1.0F, -2.0F, 0.5F},
                    {1.0F / 3.0F, 0.0F, -1.0F, 0.0F, kNaN, 3.0F, kInfinity});
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_EQ((std::vector<float>(result.begin() + 1, result.end())),
            (std::vector<float>{1.0F, kInfinity, 1.0F, 1.0F, -8.0F, 0.0F}));
}

TEST(ElementwiseBinary, SquaredDifferencesWrap) {
  EXPECT_EQ(CombineStored<std::uint8_t>(BinaryOperation::kSquaredDifference, DataType::kUInt8,
                                        {3, 0, 255}, {5, 16, 0}),
            (std::vector<std::uint8_t>{4, 0, 1}));
}

TEST(ElementwiseBinary, RefusesAnUnknownOperation) {
  const auto descriptor = DescribeElementwiseBinary(static_cast<BinaryOperation>(11));
  EXPECT_EQ(GetRefusal(MakeElementwiseBinaryLayer(descriptor, {1}, {1}, {1})),
            "binary operation 11 is not supported, only 1 (Add) to 10 (SquaredDifference)");
}

TEST(ElementwiseBinary, RefusesShapesThatDoNotBroadcast) {
  const ElementwiseBinaryDescriptor descriptor;
  EXPECT_EQ(GetRefusal(MakeElementwiseBinaryLayer(descriptor, {2, 3}, {2}, {2, 3})),
            "the shapes [2, 3] of input 0 and [2] of input 1 do not broadcast");
}

TEST(ElementwiseBinary, RefusesAnOutputOfAnotherShape) {
  const ElementwiseBinaryDescriptor descriptor;
  EXPECT_EQ(GetRefusal(MakeElementwiseBinaryLayer(descriptor, {2, 1}, {3}, {2, 1})),
            "the output has shape [2, 1], but the inputs give [2, 3]");
}

TEST(ElementwiseBinary, RefusesOtherDataTypes) {
  const ElementwiseBinaryDescriptor descriptor;
  TestLayer layer = MakeElementwiseBinaryLayer(descriptor, {1}, {1}, {1});
  layer.inputs[1].data_type = DataType::kInt64;
  EXPECT_EQ(GetRefusal(layer), "data type int64 of input 1 differs from float32 of input 0");
  layer.inputs[1].data_type = DataType::kBool;
  EXPECT_EQ(GetRefusal(layer), std::string("data type bool of input 1") + kOnlyNumbers);
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
