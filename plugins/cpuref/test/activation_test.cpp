#include "test/limits.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <iterator>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

ActivationDescriptor DescribeActivation(ActivationFunction function, float alpha = 1.0F,
                                        float beta = 1.0F) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = alpha;
  descriptor.beta = beta;
  return descriptor;
}

std::vector<float> Activate(const ActivationDescriptor& descriptor,
                            const std::vector<float>& values) {
  const TensorShape shape = {static_cast<std::int64_t>(values.size())};
  return RunLayer(LayerType::kActivation, descriptor, {FloatTensor(shape, values)}, shape);
}

TEST(Activation, TakesTensorsOfEveryRank) {
  Random random(1);
  for (std::uint32_t rank = 0; rank <= kMaxRank; ++rank) {
    const FloatTensor input = random.Tensor(random.Shape(rank, 1, 4));
    std::vector<double> expected;
    for (const float x : input.data) expected.push_back(std::tanh(static_cast<double>(x)));
    ExpectNear(RunLayer(LayerType::kActivation, DescribeActivation(ActivationFunction::kTanH),
                        {input}, input.shape),
               expected);
  }
}

// Values of tables, at -1, 0.5 and 3.
TEST(Activation, ComputesKnownValues) {
  const struct {
    ActivationDescriptor descriptor;
    std::vector<double> expected;
  } rows[] = {
      {DescribeActivation(ActivationFunction::kRelu, 1.0F, 1.0F), {0.0, 0.5, 3.0}},
      {DescribeActivation(ActivationFunction::kBoundedRelu, 1.25F, -0.5F), {-0.5, 0.5, 1.25}},
      {DescribeActivation(ActivationFunction::kLeakyRelu, 0.25F, 1.0F), {-0.25, 0.5, 3.0}},
      {DescribeActivation(ActivationFunction::kSigmoid, 1.0F, 1.0F),
       {0.268941421, 0.622459331, 0.952574127}},
      {DescribeActivation(ActivationFunction::kTanH, 1.5F, 0.5F),
       {-0.693175736, 0.367377994, 1.35772238}},
      {DescribeActivation(ActivationFunction::kElu, 2.0F, 1.0F), {-1.26424112, 0.5, 3.0}},
      {DescribeActivation(ActivationFunction::kSelu, 2.0F, 3.0F), {-3.79272335, 1.5, 9.0}},
      {DescribeActivation(ActivationFunction::kCelu, 2.0F, 1.0F), {-0.786938681, 0.5, 3.0}},
      {DescribeActivation(ActivationFunction::kGelu, 1.0F, 1.0F),
       {-0.158655254, 0.345731231, 2.99595031}},
      {DescribeActivation(ActivationFunction::kGeluTanH, 1.0F, 1.0F),
       {-0.158808009, 0.34571401, 2.99636261}},
      {DescribeActivation(ActivationFunction::kHardSigmoid, 0.25F, 0.5F), {0.25, 0.625, 1.0}},
      {DescribeActivation(ActivationFunction::kHardSwish, 1.0F, 1.0F),
       {-0.333333333, 0.291666667, 3.0}},
      {DescribeActivation(ActivationFunction::kSwish, 2.0F, 1.0F),
       {-0.119202922, 0.365529289, 2.99258213}},
      {DescribeActivation(ActivationFunction::kSoftplus, 1.0F, 1.0F),
       {0.313261688, 0.974076984, 3.04858735}},
      {DescribeActivation(ActivationFunction::kSoftsign, 1.0F, 1.0F), {-0.5, 0.333333333, 0.75}},
      {DescribeActivation(ActivationFunction::kMish, 1.0F, 1.0F),
       {-0.303401461, 0.375245211, 2.986535}},
      {DescribeActivation(ActivationFunction::kThresholdedRelu, 0.5F, 1.0F), {0.0, 0.0, 3.0}},
      {DescribeActivation(ActivationFunction::kShrink, 0.75F, 0.25F), {-0.75, 0.0, 2.75}},
      {DescribeActivation(ActivationFunction::kLinear, 2.0F, -1.0F), {-3.0, 0.0, 5.0}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(static_cast<std::uint32_t>(row.descriptor.function));
    ExpectNear(Activate(row.descriptor, {-1.0F, 0.5F, 3.0F}), row.expected);
  }
}

TEST(Activation, UpperBoundWinsOverALowerBoundAboveIt) {
  EXPECT_EQ(Activate(DescribeActivation(ActivationFunction::kBoundedRelu, 1.0F, 3.0F),
                     {0.0F, 2.0F, 4.0F}),
            (std::vector<float>{1.0F, 1.0F, 1.0F}));
}

constexpr std::uint32_t kNumFunctions = 19;

TEST(Activation, GoesToItsLimitsAtInfinity) {
  using Function = ActivationFunction;
  const struct {
    ActivationDescriptor descriptor;
    std::vector<float> expected;  // at -infinity and infinity
  } rows[] = {
      {DescribeActivation(Function::kRelu), {0.0F, kInfinity}},
      {DescribeActivation(Function::kBoundedRelu, 6.0F, 0.0F), {0.0F, 6.0F}},
      {DescribeActivation(Function::kLeakyRelu, 0.5F), {-kInfinity, kInfinity}},
      {DescribeActivation(Function::kSigmoid), {0.0F, 1.0F}},
      {DescribeActivation(Function::kTanH), {-1.0F, 1.0F}},
      {DescribeActivation(Function::kElu, 2.0F), {-2.0F, kInfinity}},
      {DescribeActivation(Function::kSelu, 2.0F, 3.0F), {-6.0F, kInfinity}},
      {DescribeActivation(Function::kCelu, 2.0F), {-2.0F, kInfinity}},
      {DescribeActivation(Function::kGelu), {0.0F, kInfinity}},
      {DescribeActivation(Function::kGeluTanH), {0.0F, kInfinity}},
      {DescribeActivation(Function::kHardSigmoid, 0.2F, 0.5F), {0.0F, 1.0F}},
      {DescribeActivation(Function::kHardSwish), {0.0F, kInfinity}},
      {DescribeActivation(Function::kSwish), {0.0F, kInfinity}},
      {DescribeActivation(Function::kSoftplus), {0.0F, kInfinity}},
      {DescribeActivation(Function::kSoftsign), {-1.0F, 1.0F}},
      {DescribeActivation(Function::kMish), {0.0F, kInfinity}},
      {DescribeActivation(Function::kThresholdedRelu), {0.0F, kInfinity}},
      {DescribeActivation(Function::kShrink), {-kInfinity, kInfinity}},
      {DescribeActivation(Function::kLinear, -1.0F), {kInfinity, -kInfinity}},
  };
  ASSERT_EQ(std::size(rows), kNumFunctions);
  for (const auto& row : rows) {
    EXPECT_EQ(Activate(row.descriptor, {-kInfinity, kInfinity}), row.expected)
        << static_cast<std::uint32_t>(row.descriptor.function);
  }
}

// Where exponentials and cubes of the argument are infinite, results are not.
TEST(Activation, DoesNotOverflow) {
  using Function = ActivationFunction;
  const std::vector<float> large = {-1e30F, -200.0F, 200.0F, 1e30F};
  for (const Function function : {Function::kGelu, Function::kGeluTanH, Function::kHardSwish,
                                  Function::kSwish, Function::kSoftplus, Function::kMish}) {
    EXPECT_EQ(Activate(DescribeActivation(function), large),
              (std::vector<float>{0.0F, 0.0F, 200.0F, 1e30F}))
        << static_cast<std::uint32_t>(function);
  }
  EXPECT_EQ(Activate(DescribeActivation(Function::kSigmoid), large),
            (std::vector<float>{0.0F, 0.0F, 1.0F, 1.0F}));
  EXPECT_EQ(Activate(DescribeActivation(Function::kElu), large),
            (std::vector<float>{-1.0F, -1.0F, 200.0F, 1e30F}));
}

// Cancellation would leave nothing of these.
TEST(Activation, IsPreciseFarBelowZero) {
  using Function = ActivationFunction;
  EXPECT_FLOAT_EQ(Activate(DescribeActivation(Function::kSoftplus), {-40.0F})[0], 4.248354e-18F);
  EXPECT_FLOAT_EQ(Activate(DescribeActivation(Function::kSigmoid), {-40.0F})[0], 4.248354e-18F);
  EXPECT_FLOAT_EQ(Activate(DescribeActivation(Function::kSwish), {-40.0F})[0], -1.6993417e-16F);
  EXPECT_FLOAT_EQ(Activate(DescribeActivation(Function::kMish), {-40.0F})[0], -1.6993417e-16F);
  EXPECT_FLOAT_EQ(Activate(DescribeActivation(Function::kElu), {-1e-10F})[0], -1e-10F);
  EXPECT_NEAR(Activate(DescribeActivation(Function::kGelu), {-8.0F})[0], -4.976769e-15F, 1e-19F);
}

TEST(Activation, KeepsNaN) {
  for (std::uint32_t function = 1; function <= kNumFunctions; ++function) {
    // Long enough for the vectorised part of the loop.
    const std::vector<float> result =
        Activate(DescribeActivation(ActivationFunction{function}), std::vector<float>(19, kNaN));
    for (const float element : result) EXPECT_TRUE(std::isnan(element)) << function;
  }
}

template <typename Element>
std::vector<Element> Shrink(float alpha, float beta, DataType type,
                            const std::vector<Element>& elements) {
  const StoredTensor input = MakeStored(type, elements);
  return GetStored<Element>(RunStored(LayerType::kActivation,
                                      DescribeActivation(ActivationFunction::kShrink, alpha, beta),
                                      {input}, input.info));
}

TEST(Activation, ShrinksIntegersTowardsZero) {
  EXPECT_EQ(Shrink<std::int8_t>(1.5F, 0.5F, DataType::kInt8, {-3, -2, -1, 0, 1, 2, 3}),
            (std::vector<std::int8_t>{-2, -1, 0, 0, 0, 1, 2}));
  EXPECT_EQ(Shrink<std::int8_t>(1.0F, 1.0F, DataType::kInt8, {-2, -1, 1, 2, 127, -128}),
            (std::vector<std::int8_t>{-1, 0, 0, 1, 126, -127}));
  EXPECT_EQ(Shrink<std::uint8_t>(1.5F, 2.5F, DataType::kUInt8, {0, 1, 2, 3, 255}),
            (std::vector<std::uint8_t>{0, 0, 0, 0, 252}));
  EXPECT_EQ(Shrink<std::uint8_t>(-0.5F, 1.0F, DataType::kUInt8, {0, 1}),
            (std::vector<std::uint8_t>{1, 0}));
}

TEST(Activation, ShrinksTheWidestIntegersExactly) {
  EXPECT_EQ(Shrink<std::int64_t>(0.0F, 1.0F, DataType::kInt64, {INT64_MIN, INT64_MAX}),
            (std::vector<std::int64_t>{INT64_MIN + 1, INT64_MAX - 1}));
  EXPECT_EQ(Shrink<std::int64_t>(0.0F, 0.5F, DataType::kInt64, {INT64_MIN, INT64_MAX}),
            (std::vector<std::int64_t>{INT64_MIN + 1, INT64_MAX - 1}));
  EXPECT_EQ(Shrink<std::int64_t>(1e30F, 1.0F, DataType::kInt64, {INT64_MIN, INT64_MAX}),
            (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(Shrink<std::uint64_t>(0x1p63F, 0.0F, DataType::kUInt64,
                                  {std::uint64_t{1} << 63U, (std::uint64_t{1} << 63U) + 1}),
            (std::vector<std::uint64_t>{0, (std::uint64_t{1} << 63U) + 1}));
}

TEST(Activation, TakesAnEmptyTensor) {
  const TensorShape empty = {2, 0};
  EXPECT_TRUE(RunLayer(LayerType::kActivation, ActivationDescriptor(), {FloatTensor(empty)}, empty)
                  .empty());
}

TEST(Activation, RefusesParametersThatAreNoNumbers) {
  const TensorInfo info({2}, DataType::kInt32);
  auto descriptor = DescribeActivation(ActivationFunction::kShrink);
  descriptor.beta = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(GetRefusal({LayerType::kActivation, descriptor, {info}, info}),
            "alpha or beta is not a number");
}

TEST(Activation, RefusesAnUnknownFunction) {
  const TensorInfo info({2}, DataType::kFloat32);
  const auto descriptor = DescribeActivation(static_cast<ActivationFunction>(99));
  EXPECT_EQ(GetRefusal({LayerType::kActivation, descriptor, {info}, info}),
            "activation function 99 is not supported, only 1 (Relu) to 19 (Linear)");
}

TEST(Activation, RefusesOtherDataTypes) {
  const TensorInfo boolean({2}, DataType::kBool);
  EXPECT_EQ(GetRefusal({LayerType::kActivation, ActivationDescriptor(), {boolean}, boolean}),
            std::string("data type bool of input 0") + kOnlyNumbers +
                "; data type bool of the output" + kOnlyNumbers);
  const TensorInfo integer({2}, DataType::kInt32);
  const auto sigmoid = DescribeActivation(ActivationFunction::kSigmoid);
  EXPECT_EQ(GetRefusal({LayerType::kActivation, sigmoid, {integer}, integer}),
            std::string("data type int32 of input 0") + kOnlyFloats +
                "; data type int32 of the output" + kOnlyFloats);
}

TEST(Activation, RefusesAnOutputOfAnotherShape) {
  EXPECT_EQ(GetRefusal({LayerType::kActivation,
                        ActivationDescriptor(),
                        {TensorInfo({2, 3}, DataType::kFloat32)},
                        TensorInfo({6}, DataType::kFloat32)}),
            "the output has shape [6], but the inputs give [2, 3]");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
