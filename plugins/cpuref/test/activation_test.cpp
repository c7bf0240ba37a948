#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpuref_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

ActivationDescriptor Describe(ActivationFunction function, float alpha = 1.0F, float beta = 1.0F) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = alpha;
  descriptor.beta = beta;
  return descriptor;
}

double Compute(const ActivationDescriptor& descriptor, double x) {
  const double alpha = static_cast<double>(descriptor.alpha);
  const double beta = static_cast<double>(descriptor.beta);
  switch (descriptor.function) {
    case ActivationFunction::kRelu:
      return std::fmax(0.0, x);
    case ActivationFunction::kBoundedRelu:
      return std::fmin(alpha, std::fmax(beta, x));
    case ActivationFunction::kLeakyRelu:
      return x >= 0.0 ? x : alpha * x;
    case ActivationFunction::kSigmoid:
      return 1.0 / (1.0 + std::exp(-x));
    case ActivationFunction::kTanH:
      return alpha * std::tanh(beta * x);
  }
  return std::nan("");
}

void ExpectComputes(const ActivationDescriptor& descriptor) {
  Random random(1);
  for (std::uint32_t rank = 0; rank <= kMaxRank; ++rank) {
    const FloatTensor input = random.Tensor(random.Shape(rank, 1, 4));
    std::vector<double> expected;
    for (const float x : input.data)
      expected.push_back(Compute(descriptor, static_cast<double>(x)));
    ExpectNear(RunLayer(LayerType::kActivation, descriptor, {input}, input.shape), expected);
  }
}

std::vector<float> Activate(const ActivationDescriptor& descriptor,
                            const std::vector<float>& values) {
  const TensorShape shape = {static_cast<std::int64_t>(values.size())};
  return RunLayer(LayerType::kActivation, descriptor, {FloatTensor(shape, values)}, shape);
}

TEST(Activation, ComputesRelu) {
  ExpectComputes(Describe(ActivationFunction::kRelu));
}

TEST(Activation, ComputesBoundedRelu) {
  ExpectComputes(Describe(ActivationFunction::kBoundedRelu, 1.25F, -0.5F));
}

TEST(Activation, ComputesLeakyRelu) {
  ExpectComputes(Describe(ActivationFunction::kLeakyRelu, 0.1F));
}

TEST(Activation, ComputesSigmoid) {
  ExpectComputes(Describe(ActivationFunction::kSigmoid));
}

TEST(Activation, ComputesTanH) {
  ExpectComputes(Describe(ActivationFunction::kTanH, 1.7159F, 0.6667F));
}

TEST(Activation, UpperBoundWinsOverALowerBoundAboveIt) {
  EXPECT_EQ(Activate(Describe(ActivationFunction::kBoundedRelu, 1.0F, 3.0F), {0.0F, 2.0F, 4.0F}),
            (std::vector<float>{1.0F, 1.0F, 1.0F}));
}

TEST(Activation, SaturatesAtInfinity) {
  const std::vector<float> infinities = {-kInfinity, kInfinity};
  EXPECT_EQ(Activate(Describe(ActivationFunction::kRelu), infinities),
            (std::vector<float>{0.0F, kInfinity}));
  EXPECT_EQ(Activate(Describe(ActivationFunction::kBoundedRelu, 6.0F, 0.0F), infinities),
            (std::vector<float>{0.0F, 6.0F}));
  EXPECT_EQ(Activate(Describe(ActivationFunction::kSigmoid), infinities),
            (std::vector<float>{0.0F, 1.0F}));
  EXPECT_EQ(Activate(Describe(ActivationFunction::kTanH), infinities),
            (std::vector<float>{-1.0F, 1.0F}));
}

TEST(Activation, KeepsNaN) {
  for (const ActivationFunction function :
       {ActivationFunction::kRelu, ActivationFunction::kBoundedRelu, ActivationFunction::kLeakyRelu,
        ActivationFunction::kSigmoid, ActivationFunction::kTanH}) {
    // Long enough for the vectorised part of the loop.
    const std::vector<float> result = Activate(Describe(function), std::vector<float>(19, kNaN));
    for (const float element : result) {
      EXPECT_TRUE(std::isnan(element)) << static_cast<std::uint32_t>(function);
    }
  }
}

TEST(Activation, TakesAnEmptyTensor) {
  const TensorShape empty = {2, 0};
  EXPECT_TRUE(RunLayer(LayerType::kActivation, ActivationDescriptor(), {FloatTensor(empty)}, empty)
                  .empty());
}

TEST(Activation, RefusesAnUnknownFunction) {
  const TensorInfo info({2}, DataType::kFloat32);
  const auto descriptor = Describe(static_cast<ActivationFunction>(99));
  EXPECT_EQ(GetRefusal({LayerType::kActivation, descriptor, {info}, info}),
            "activation function 99 is not supported, only Relu (1), BoundedRelu (2), LeakyRelu "
            "(3), Sigmoid (4) and TanH (5)");
}

TEST(Activation, RefusesOtherDataTypes) {
  const TensorInfo boolean({2}, DataType::kBool);
  EXPECT_EQ(GetRefusal({LayerType::kActivation, ActivationDescriptor(), {boolean}, boolean}),
            std::string("data type bool of input 0") + kOnlyNumbers +
                "; data type bool of the output" + kOnlyNumbers);
  const TensorInfo integer({2}, DataType::kInt32);
  const auto sigmoid = Describe(ActivationFunction::kSigmoid);
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
