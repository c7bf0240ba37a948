#include "test/large_case.hpp"
#include "test/limits.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

using ReduceAxes = std::vector<std::uint32_t>;

ReduceDescriptor OverReduce(ReduceOperation operation, const ReduceAxes& axes) {
  ReduceDescriptor descriptor;
  descriptor.operation = operation;
  for (const std::uint32_t axis : axes) descriptor.axes[descriptor.num_axes++] = axis;
  return descriptor;
}

float ReduceVector(ReduceOperation operation, const std::vector<float>& values) {
  const TensorShape shape = {static_cast<std::int64_t>(values.size())};
  return RunLayer(LayerType::kReduce, OverReduce(operation, {0}), {FloatTensor(shape, values)}, {})
      .at(0);
}

/// Of a vector of integers of a type.
template <typename Element>
Element ReduceIntegers(ReduceOperation operation, DataType type,
                       const std::vector<Element>& values) {
  return GetStored<Element>(RunStored(LayerType::kReduce, OverReduce(operation, {0}),
                                      {MakeStored(type, values)}, TensorInfo({}, type)))
      .at(0);
}

TEST(Reduce, ComputesGroupsAndNeighboursThatDoNotFitABlock) {
  Random random(41);
  for (const ReduceAxes& axes : {ReduceAxes{0}, ReduceAxes{1}, ReduceAxes{2}, ReduceAxes{0, 2},
                                 ReduceAxes{0, 1}, ReduceAxes{0, 1, 2}}) {
    TensorShape output = {2, 3, 150};
    for (const std::uint32_t axis : axes) output[axis] = 1;
    for (const auto operation : {ReduceOperation::kSum, ReduceOperation::kMaximum,
                                 ReduceOperation::kLogSumExp, ReduceOperation::kL1}) {
      ReduceDescriptor descriptor = OverReduce(operation, axes);
      descriptor.keep_dims = 1;
      ExpectAsOracle(GetOracleOfReduce(),
                     MakeCase(LayerType::kReduce, descriptor, {{2, 3, 150}}, output), random);
    }
  }
}

TEST(Reduce, MixesAxesOfEveryRank) {
  Random random(42);
  const TensorShape shape = {2, 1, 3, 2, 1, 2, 3, 2};
  for (const ReduceAxes& axes :
       {ReduceAxes{0, 2, 5, 7}, ReduceAxes{1, 3, 6}, ReduceAxes{7, 3, 4, 0}, ReduceAxes{1, 4}}) {
    TensorShape output = shape;
    for (const std::uint32_t axis : axes) output[axis] = 1;
    ReduceDescriptor descriptor = OverReduce(ReduceOperation::kMean, axes);
    descriptor.keep_dims = 1;
    ExpectAsOracle(GetOracleOfReduce(), MakeCase(LayerType::kReduce, descriptor, {shape}, output),
                   random);
  }
}

TEST(Reduce, OfNothingIsDefined) {
  EXPECT_EQ(ReduceVector(ReduceOperation::kSum, {}), 0.0F);
  EXPECT_TRUE(std::isnan(ReduceVector(ReduceOperation::kMean, {})));
  EXPECT_EQ(ReduceVector(ReduceOperation::kMaximum, {}), -kInfinity);
  EXPECT_EQ(ReduceVector(ReduceOperation::kMinimum, {}), kInfinity);
  EXPECT_EQ(ReduceVector(ReduceOperation::kProduct, {}), 1.0F);
  EXPECT_EQ(ReduceVector(ReduceOperation::kL1, {}), 0.0F);
  EXPECT_EQ(ReduceVector(ReduceOperation::kL2, {}), 0.0F);
  EXPECT_EQ(ReduceVector(ReduceOperation::kLogSum, {}), -kInfinity);
  EXPECT_EQ(ReduceVector(ReduceOperation::kLogSumExp, {}), -kInfinity);
  EXPECT_EQ(ReduceVector(ReduceOperation::kSumSquare, {}), 0.0F);
}

TEST(Reduce, OfNothingHasTheLimitsOfItsIntegerType) {
  const auto maximum = ReduceOperation::kMaximum;
  const auto minimum = ReduceOperation::kMinimum;
  EXPECT_EQ(ReduceIntegers<std::int8_t>(maximum, DataType::kInt8, {}), -128);
  EXPECT_EQ(ReduceIntegers<std::int8_t>(minimum, DataType::kInt8, {}), 127);
  EXPECT_EQ(ReduceIntegers<std::uint16_t>(maximum, DataType::kUInt16, {}), 0);
  EXPECT_EQ(ReduceIntegers<std::uint16_t>(minimum, DataType::kUInt16, {}), 65535);
  EXPECT_EQ(ReduceIntegers<std::int64_t>(maximum, DataType::kInt64, {}),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(ReduceIntegers<std::uint64_t>(minimum, DataType::kUInt64, {}),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(ReduceIntegers<std::int32_t>(ReduceOperation::kMean, DataType::kInt32, {}), 0);
}

TEST(Reduce, LeavesOutWhatIsEmpty) {
  const ReduceDescriptor descriptor = OverReduce(ReduceOperation::kSum, {1});
  EXPECT_EQ(RunLayer(LayerType::kReduce, descriptor, {FloatTensor({2, 0, 2})}, {2, 2}),
            (std::vector<float>(4, 0.0F)));
  EXPECT_TRUE(RunLayer(LayerType::kReduce, descriptor, {FloatTensor({2, 3, 0})}, {2, 0}).empty());
  EXPECT_TRUE(RunLayer(LayerType::kReduce, descriptor, {FloatTensor({0, 0})}, {0}).empty());
}

TEST(Reduce, WithoutAxesAppliesToEachElement) {
  const FloatTensor input({2}, {-2.0F, 3.0F});
  const auto reduce = [&](ReduceOperation operation) {
    return RunLayer(LayerType::kReduce, OverReduce(operation, {}), {input}, {2});
  };
  EXPECT_EQ(reduce(ReduceOperation::kSum), input.data);
  EXPECT_EQ(reduce(ReduceOperation::kL2), (std::vector<float>{2.0F, 3.0F}));
  EXPECT_EQ(reduce(ReduceOperation::kSumSquare), (std::vector<float>{4.0F, 9.0F}));
  EXPECT_EQ(reduce(ReduceOperation::kLogSumExp), input.data);
}

TEST(Reduce, IntegersWrapAroundAndMeansAreCutOff) {
  EXPECT_EQ(ReduceIntegers<std::int8_t>(ReduceOperation::kSum, DataType::kInt8, {100, 100}), -56);
  EXPECT_EQ(ReduceIntegers<std::int8_t>(ReduceOperation::kMean, DataType::kInt8, {100, 101}), 100);
  EXPECT_EQ(ReduceIntegers<std::int8_t>(ReduceOperation::kMean, DataType::kInt8, {-3, 0}), -1);
  EXPECT_EQ(ReduceIntegers<std::int8_t>(ReduceOperation::kL1, DataType::kInt8, {-128}), -128);
  EXPECT_EQ(ReduceIntegers<std::uint8_t>(ReduceOperation::kProduct, DataType::kUInt8, {16, 17}),
            16);
}

TEST(Reduce, SmallElementsAreNotLostBesideALargeSum) {
  std::vector<float> values(1 << 20, 0.1F);
  values[0] = 16777216.0F;
  const double sum = 16777216.0 + static_cast<double>(0.1F) * ((1 << 20) - 1);
  EXPECT_EQ(ReduceVector(ReduceOperation::kSum, values), static_cast<float>(sum));
}

TEST(Reduce, NaNGoesThrough) {
  for (std::uint32_t operation = 1; operation <= 10; ++operation) {
    for (const std::size_t place : {0U, 1U, 99U}) {
      std::vector<float> values(100, 1.0F);
      values[place] = kNaN;
      EXPECT_TRUE(std::isnan(ReduceVector(ReduceOperation{operation}, values))) << operation;
    }
  }
}

TEST(Reduce, LogSumExpStaysFiniteAndTakesInfinities) {
  EXPECT_EQ(ReduceVector(ReduceOperation::kLogSumExp, {1000.0F, -1000.0F}), 1000.0F);
  EXPECT_EQ(ReduceVector(ReduceOperation::kLogSumExp, {-1000.0F}), -1000.0F);
  EXPECT_EQ(ReduceVector(ReduceOperation::kLogSumExp, {kInfinity, 0.0F}), kInfinity);
  EXPECT_EQ(ReduceVector(ReduceOperation::kLogSumExp, {-kInfinity, -kInfinity}), -kInfinity);
  EXPECT_EQ(ReduceVector(ReduceOperation::kLogSumExp, {-kInfinity, 3.0F}), 3.0F);
}

TEST(Reduce, SquaresOfFloatsDoNotOverflow) {
  EXPECT_EQ(ReduceVector(ReduceOperation::kL2, {3.0e30F, 4.0e30F}), 5.0e30F);
}

TEST(Reduce, RefusesFieldsThatItDoesNotKnow) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  ReduceDescriptor descriptor = OverReduce(ReduceOperation{11}, {1, 2, 1});
  descriptor.keep_dims = 2;
  EXPECT_EQ(GetRefusal({LayerType::kReduce, descriptor, {info}, info}),
            "operation 11 is not supported, only Sum (1) to SumSquare (10); keep_dims is 2, but "
            "must be 0 or 1; axis 2 is outside of rank 2 of input 0; axis 1 is there twice");
}

TEST(Reduce, RefusesAnotherShapeAndRootsOfIntegers) {
  const TensorInfo info({2, 3}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kReduce, OverReduce(ReduceOperation::kSum, {1}), {info}, info}),
            "the output has shape [2, 3], but the inputs give [2]");
  const TensorInfo integers({2}, DataType::kInt32);
  EXPECT_EQ(
      GetRefusal({LayerType::kReduce, OverReduce(ReduceOperation::kL2, {}), {integers}, integers}),
      std::string("data type int32 of input 0") + kOnlyFloats + "; data type int32 of the output" +
          kOnlyFloats);
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
