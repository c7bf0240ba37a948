#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/elementwise_unary.hpp>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

ElementwiseUnaryDescriptor DescribeElementwiseUnary(UnaryOperation operation) {
  ElementwiseUnaryDescriptor descriptor;
  descriptor.operation = operation;
  return descriptor;
}

template <typename Element>
std::vector<Element> ComputeElementwiseUnary(UnaryOperation operation, DataType type,
                                             const std::vector<Element>& elements) {
  const StoredTensor input = MakeStored(type, elements);
  return GetStored<Element>(RunStored(LayerType::kElementwiseUnary,
                                      DescribeElementwiseUnary(operation), {input}, input.info));
}

std::vector<float> ComputeFloats(UnaryOperation operation, const std::vector<float>& elements) {
  return ComputeElementwiseUnary(operation, DataType::kFloat32, elements);
}

TEST(ElementwiseUnary, TheLeastIntegerIsItsOwnNegative) {
  for (const UnaryOperation operation : {UnaryOperation::kAbs, UnaryOperation::kNegate}) {
    EXPECT_EQ(ComputeElementwiseUnary<std::int8_t>(operation, DataType::kInt8, {-128, -127}),
              (std::vector<std::int8_t>{-128, 127}));
    EXPECT_EQ(
        ComputeElementwiseUnary<std::int64_t>(operation, DataType::kInt64, {INT64_MIN, -INT64_MAX}),
        (std::vector<std::int64_t>{INT64_MIN, INT64_MAX}));
  }
}

TEST(ElementwiseUnary, UnsignedIntegersHaveAbsoluteValuesSignsAndNegativesThatWrap) {
  EXPECT_EQ(ComputeElementwiseUnary<std::uint8_t>(UnaryOperation::kAbs, DataType::kUInt8, {0, 255}),
            (std::vector<std::uint8_t>{0, 255}));
  EXPECT_EQ(ComputeElementwiseUnary<std::uint64_t>(UnaryOperation::kSign, DataType::kUInt64,
                                                   {0, UINT64_MAX}),
            (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(
      ComputeElementwiseUnary<std::uint8_t>(UnaryOperation::kNegate, DataType::kUInt8, {0, 1, 255}),
      (std::vector<std::uint8_t>{0, 255, 1}));
}

TEST(ElementwiseUnary, SignKeepsNaN) {
  const auto signs = ComputeFloats(UnaryOperation::kSign, {-kInfinity, -1e-30F, 0.0F, 5.0F, kNaN});
  EXPECT_EQ((std::vector<float>(signs.begin(), signs.end() - 1)),
            (std::vector<float>{-1.0F, -1.0F, 0.0F, 1.0F}));
  EXPECT_TRUE(std::isnan(signs.back()));
}

TEST(ElementwiseUnary, RoundsTiesToEven) {
  EXPECT_EQ(ComputeFloats(UnaryOperation::kRound,
                          {-2.5F, -1.5F, -0.5F, 0.5F, 1.5F, 2.5F, 0.49999997F, 8388609.0F, 1e30F}),
            (std::vector<float>{-2.0F, -2.0F, 0.0F, 0.0F, 2.0F, 2.0F, 0.0F, 8388609.0F, 1e30F}));
}

TEST(ElementwiseUnary, CeilAndFloorKeepWholeNumbersAndInfinities) {
  const std::vector<float> elements = {-1.5F, -1.0F, 1.25F, 16777216.0F, kInfinity, -kInfinity};
  EXPECT_EQ(ComputeFloats(UnaryOperation::kCeil, elements),
            (std::vector<float>{-1.0F, -1.0F, 2.0F, 16777216.0F, kInfinity, -kInfinity}));
  EXPECT_EQ(ComputeFloats(UnaryOperation::kFloor, elements),
            (std::vector<float>{-2.0F, -1.0F, 1.0F, 16777216.0F, kInfinity, -kInfinity}));
}

TEST(ElementwiseUnary, IsNaNOutsideOfTheDomain) {
  for (const UnaryOperation operation :
       {UnaryOperation::kSqrt, UnaryOperation::kLog, UnaryOperation::kAsin, UnaryOperation::kAcos,
        UnaryOperation::kAcosh, UnaryOperation::kAtanh}) {
    EXPECT_TRUE(std::isnan(ComputeFloats(operation, {-1.5F})[0]))
        << static_cast<std::uint32_t>(operation);
  }
  for (const UnaryOperation operation :
       {UnaryOperation::kSin, UnaryOperation::kCos, UnaryOperation::kTan}) {
    EXPECT_TRUE(std::isnan(ComputeFloats(operation, {kInfinity})[0]))
        << static_cast<std::uint32_t>(operation);
  }
}

TEST(ElementwiseUnary, HasPolesAndLimits) {
  EXPECT_EQ(ComputeFloats(UnaryOperation::kReciprocal, {0.0F, -0.0F, kInfinity}),
            (std::vector<float>{kInfinity, -kInfinity, 0.0F}));
  EXPECT_EQ(ComputeFloats(UnaryOperation::kLog, {0.0F, 1.0F, kInfinity}),
            (std::vector<float>{-kInfinity, 0.0F, kInfinity}));
  EXPECT_EQ(ComputeFloats(UnaryOperation::kExp, {-kInfinity, 0.0F, 100.0F}),
            (std::vector<float>{0.0F, 1.0F, kInfinity}));
  EXPECT_EQ(ComputeFloats(UnaryOperation::kAtanh, {-1.0F, 1.0F}),
            (std::vector<float>{-kInfinity, kInfinity}));
  EXPECT_EQ(ComputeFloats(UnaryOperation::kErf, {-kInfinity, 0.0F, kInfinity}),
            (std::vector<float>{-1.0F, 0.0F, 1.0F}));
}

TEST(ElementwiseUnary, KeepsNaN) {
  const auto last = static_cast<std::uint32_t>(UnaryOperation::kRound);
  for (std::uint32_t operation = 1; operation <= last; ++operation) {
    // Long enough for the vectorised part of the loop.
    for (const float element :
         ComputeFloats(UnaryOperation{operation}, std::vector<float>(19, kNaN))) {
      EXPECT_TRUE(std::isnan(element)) << operation;
    }
  }
}

TEST(ElementwiseUnary, TurnsBits) {
  EXPECT_EQ(ComputeElementwiseUnary<std::int8_t>(UnaryOperation::kBitwiseNot, DataType::kInt8,
                                                 {0, -1, 127}),
            (std::vector<std::int8_t>{-1, 0, -128}));
  EXPECT_EQ(ComputeElementwiseUnary<std::uint16_t>(UnaryOperation::kBitwiseNot, DataType::kUInt16,
                                                   {0, 0xff00}),
            (std::vector<std::uint16_t>{0xffff, 0x00ff}));
}

TEST(ElementwiseUnary, EveryByteButZeroIsTrue) {
  EXPECT_EQ(ComputeElementwiseUnary<std::uint8_t>(UnaryOperation::kLogicalNot, DataType::kBool,
                                                  {0, 1, 2, 255}),
            (std::vector<std::uint8_t>{1, 0, 0, 0}));
}

TEST(ElementwiseUnary, TakesAnEmptyTensor) {
  EXPECT_TRUE(RunLayer(LayerType::kElementwiseUnary, DescribeElementwiseUnary(UnaryOperation::kExp),
                       {FloatTensor({2, 0})}, {2, 0})
                  .empty());
}

std::string AskElementwiseUnary(UnaryOperation operation, DataType type) {
  const TensorInfo info({2}, type);
  return GetRefusal(
      {LayerType::kElementwiseUnary, DescribeElementwiseUnary(operation), {info}, info});
}

TEST(ElementwiseUnary, RefusesAnUnknownOperation) {
  EXPECT_EQ(AskElementwiseUnary(UnaryOperation{25}, DataType::kFloat32),
            "unary operation 25 is not supported, only 1 (Abs) to 24 (LogicalNot)");
}

TEST(ElementwiseUnary, RefusesOtherDataTypes) {
  EXPECT_EQ(AskElementwiseUnary(UnaryOperation::kSqrt, DataType::kInt32),
            std::string("data type int32 of input 0") + kOnlyFloats +
                "; data type int32 of the output" + kOnlyFloats);
  EXPECT_EQ(AskElementwiseUnary(UnaryOperation::kLogicalNot, DataType::kUInt8),
            "data type uint8 of input 0 is not supported, only bool; data type uint8 of the output "
            "is not supported, only bool");
  TensorInfo quantised({2}, DataType::kInt8);
  quantised.quantization.scales = {0.5F};
  EXPECT_EQ(GetRefusal({LayerType::kElementwiseUnary,
                        DescribeElementwiseUnary(UnaryOperation::kBitwiseNot),
                        {quantised},
                        quantised}),
            "input 0 is quantised, which is not supported; the output is quantised, which is not "
            "supported");
}

TEST(ElementwiseUnary, RefusesAnOutputOfAnotherShape) {
  EXPECT_EQ(GetRefusal({LayerType::kElementwiseUnary,
                        DescribeElementwiseUnary(UnaryOperation::kAbs),
                        {TensorInfo({2, 3}, DataType::kFloat32)},
                        TensorInfo({6}, DataType::kFloat32)}),
            "the output has shape [6], but the inputs give [2, 3]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
