#include "cpu_layers/activation_function.hpp"
#include "cpu_layers/arithmetic.hpp"
#include "simd/simd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using namespace cpuacc;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// What is special somewhere, and numbers of all sizes.
std::vector<float> MakeNumbers() {
  std::vector<float> numbers = {0.0F,    -0.0F, kInfinity, -kInfinity, kNan,   1e-45F, -1e-45F,
                                1e-38F,  3e38F, -3e38F,    88.7F,      88.8F,  -87.4F, -103.0F,
                                -104.5F, 0.5F,  1.5F,      2.5F,       -0.5F,  -2.5F,  8388607.5F,
                                1.0F,    -1.0F, 1e30F,     -1e30F,     1e-30F, 20.0F,  -20.0F};
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> near(-1.0F, 1.0F);
  std::uniform_real_distribution<float> far(-110.0F, 110.0F);
  std::uniform_real_distribution<float> exponent(-44.0F, 38.0F);
  for (int i = 0; i < 3001; ++i) {  // an odd number, so that something is left after whole vectors
    numbers.push_back(near(generator));
    numbers.push_back(near(generator) * 10.0F);
    numbers.push_back(far(generator));
    numbers.push_back(std::copysign(std::pow(10.0F, exponent(generator)), near(generator)));
  }
  return numbers;
}

double GetUlp(double x) {
  return std::ldexp(1.0, std::max(std::ilogb(x == 0.0 ? 1e-45 : x), -126) - 23);
}

/// `slack`: what may be lost besides, of a number as large as x, or 1.
void ExpectNear(float found, double expected, float x, double slack) {
  const auto rounded = static_cast<float>(expected);
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found)) << "f(" << x << ") is " << found;
  } else if (std::isinf(rounded)) {
    EXPECT_EQ(found, rounded) << "f(" << x << ")";
  } else {
    const double size = std::isinf(x) ? 0.0 : std::max(1.0, std::fabs(static_cast<double>(x)));
    EXPECT_LE(std::fabs(static_cast<double>(found) - expected),
              4.0 * GetUlp(expected) + slack * size)
        << "f(" << x << ") is " << found << " instead of " << expected;
  }
}

using ExactFunction = std::function<double(double)>;

/// In place and elsewhere, and for counts that leave something after whole vectors.
void ExpectMaps(MapFunction map, float alpha, float beta, double slack,
                const ExactFunction& oracle) {
  const std::vector<float> x = MakeNumbers();
  for (const std::size_t count : {x.size(), std::size_t{1}, std::size_t{19}, std::size_t{0}}) {
    std::vector<float> y(x.begin(), x.end());
    map(y.data(), y.data(), static_cast<std::int64_t>(count), alpha, beta);
    for (std::size_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
      ExpectNear(y[i], oracle(static_cast<double>(x[i])), x[i], slack);
    }
    for (std::size_t i = count; i < x.size() && !std::isnan(x[i]); ++i) ASSERT_EQ(y[i], x[i]);
  }
}

class ElementFunctionsOf : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    simd_ = FindSimdFunctions(GetParam());
    if (simd_ == nullptr) GTEST_SKIP() << "this processor does not have the instruction set";
  }

  void ExpectActivation(ActivationFunction function, float alpha, float beta, double slack = 0.0) {
    SCOPED_TRACE(static_cast<std::uint32_t>(function));
    ActivationDescriptor descriptor;
    descriptor.function = function;
    descriptor.alpha = alpha;
    descriptor.beta = beta;
    cpu_layers::VisitActivation<double>(descriptor, [&](auto oracle) {
      ExpectMaps(simd_->elements.activations[static_cast<std::size_t>(function)], alpha, beta,
                 slack, oracle);
    });
  }

  void ExpectUnary(UnaryOperation operation, const ExactFunction& oracle) {
    SCOPED_TRACE(static_cast<std::uint32_t>(operation));
    ExpectMaps(simd_->elements.unary[static_cast<std::size_t>(operation)], 0.0F, 0.0F, 0.0, oracle);
  }

  void ExpectBinary(const BinaryFunctions& functions,
                    const std::function<float(float, float)>& oracle) {
    const std::vector<float> a = MakeNumbers();
    std::vector<float> b(a.rbegin(), a.rend());
    std::swap(b[5], b[40]);
    std::vector<float> y(a.size());
    const auto count = static_cast<std::int64_t>(a.size());
    const auto expect = [&](std::size_t i, float first, float second) {
      const float expected = oracle(first, second);
      ExpectNear(y[i], static_cast<double>(expected), first, 0.0);
    };
    functions.of_arrays(a.data(), b.data(), y.data(), count);
    for (std::size_t i = 0; i < a.size(); ++i) expect(i, a[i], b[i]);
    for (const float number : {1.5F, -2.0F, 0.0F, kNan, kInfinity}) {
      functions.of_second(b.data(), y.data(), count, number, 0.0F);
      for (std::size_t i = 0; i < a.size(); ++i) expect(i, number, b[i]);
      functions.of_first(a.data(), y.data(), count, number, 0.0F);
      for (std::size_t i = 0; i < a.size(); ++i) expect(i, a[i], number);
    }
  }

  const SimdFunctions* simd_ = nullptr;
};

TEST_P(ElementFunctionsOf, ComputeEveryActivation) {
  constexpr double kOfTails = 1e-7;  // what is almost 0 is lost beside x
  ExpectActivation(ActivationFunction::kRelu, 0.0F, 0.0F);
  ExpectActivation(ActivationFunction::kBoundedRelu, 6.0F, -1.5F);
  ExpectActivation(ActivationFunction::kLeakyRelu, 0.1F, 0.0F);
  ExpectActivation(ActivationFunction::kSigmoid, 0.0F, 0.0F);
  ExpectActivation(ActivationFunction::kTanH, 1.0F, 1.0F);
  ExpectActivation(ActivationFunction::kTanH, 1.5F, -0.5F);
  ExpectActivation(ActivationFunction::kElu, 1.0F, 0.0F);
  ExpectActivation(ActivationFunction::kSelu, 1.5F, 1.0F);
  ExpectActivation(ActivationFunction::kCelu, 2.0F, 0.0F);
  ExpectActivation(ActivationFunction::kCelu, -2.0F, 0.0F);
  ExpectActivation(ActivationFunction::kGelu, 0.0F, 0.0F, kOfTails);
  ExpectActivation(ActivationFunction::kGeluTanH, 0.0F, 0.0F, kOfTails);
  ExpectActivation(ActivationFunction::kHardSigmoid, 0.2F, 0.5F, kOfTails);
  ExpectActivation(ActivationFunction::kHardSwish, 0.0F, 0.0F, kOfTails);
  ExpectActivation(ActivationFunction::kSwish, 1.0F, 0.0F, kOfTails);
  ExpectActivation(ActivationFunction::kSwish, -1.5F, 0.0F, kOfTails);
  ExpectActivation(ActivationFunction::kSoftplus, 0.0F, 0.0F);
  ExpectActivation(ActivationFunction::kSoftsign, 0.0F, 0.0F);
  ExpectActivation(ActivationFunction::kMish, 0.0F, 0.0F, kOfTails);
  ExpectActivation(ActivationFunction::kThresholdedRelu, 0.75F, 0.0F);
  ExpectActivation(ActivationFunction::kShrink, 0.5F, 0.25F);
  ExpectActivation(ActivationFunction::kLinear, -1.5F, 0.25F, kOfTails);
}

TEST_P(ElementFunctionsOf, ComputeEveryUnaryOperation) {
#define CPUACC_EXPECT(name, result) \
  ExpectUnary(UnaryOperation::k##name, [](double x) -> double { return result; });
  CPUACC_EXPECT(Abs, std::fabs(x))
  CPUACC_EXPECT(Negate, -x)
  CPUACC_EXPECT(Sign, x > 0 ? 1.0 : x < 0 ? -1.0 : x)
  CPUACC_EXPECT(Sqrt, std::sqrt(x))
  CPUACC_EXPECT(Reciprocal, 1 / x)
  CPUACC_EXPECT(Exp, std::exp(x))
  CPUACC_EXPECT(Log, std::log(x))
  CPUACC_EXPECT(Sin, std::sin(x))
  CPUACC_EXPECT(Cos, std::cos(x))
  CPUACC_EXPECT(Tan, std::tan(x))
  CPUACC_EXPECT(Asin, std::asin(x))
  CPUACC_EXPECT(Acos, std::acos(x))
  CPUACC_EXPECT(Atan, std::atan(x))
  CPUACC_EXPECT(Sinh, std::sinh(x))
  CPUACC_EXPECT(Cosh, std::cosh(x))
  CPUACC_EXPECT(Asinh, std::asinh(x))
  CPUACC_EXPECT(Acosh, std::acosh(x))
  CPUACC_EXPECT(Atanh, std::atanh(x))
  CPUACC_EXPECT(Erf, std::erf(x))
  CPUACC_EXPECT(Ceil, std::ceil(x))
  CPUACC_EXPECT(Floor, std::floor(x))
  CPUACC_EXPECT(Round, std::nearbyint(x))
#undef CPUACC_EXPECT
}

TEST_P(ElementFunctionsOf, KeepTheSignOfZero) {
  for (const UnaryOperation operation :
       {UnaryOperation::kRound, UnaryOperation::kCeil, UnaryOperation::kFloor, UnaryOperation::kErf,
        UnaryOperation::kSqrt, UnaryOperation::kSign}) {
    for (const float zero : {0.0F, -0.0F}) {
      float y = 1.0F;
      simd_->elements.unary[static_cast<std::size_t>(operation)](&zero, &y, 1, 0.0F, 0.0F);
      EXPECT_EQ(std::signbit(y), std::signbit(zero)) << static_cast<std::uint32_t>(operation);
    }
  }
}

TEST_P(ElementFunctionsOf, ComputeEveryBinaryOperation) {
#define CPUACC_EXPECT(name, result)                                                        \
  ExpectBinary(simd_->elements.binary[static_cast<std::size_t>(BinaryOperation::k##name)], \
               [](float a, float b) -> float { return result; });
  CPUACC_EXPECT(Add, a + b)
  CPUACC_EXPECT(Sub, a - b)
  CPUACC_EXPECT(Mul, a * b)
  CPUACC_EXPECT(Div, a / b)
  CPUACC_EXPECT(Maximum, cpu_layers::GetMaximum(a, b))
  CPUACC_EXPECT(Minimum, cpu_layers::GetMinimum(a, b))
  CPUACC_EXPECT(Power, cpu_layers::RaiseToPower(a, b))
  CPUACC_EXPECT(Modulo, cpu_layers::GetModulo(a, b))
  CPUACC_EXPECT(Remainder, cpu_layers::GetRemainder(a, b))
  CPUACC_EXPECT(SquaredDifference, (a - b) * (a - b))
#undef CPUACC_EXPECT
  ExpectBinary(simd_->elements.prelu, [](float a, float b) { return a < 0.0F ? a * b : a; });
  ExpectBinary(simd_->elements.mask, [](float a, float b) { return b == 0.0F ? 0.0F : a; });
}

TEST_P(ElementFunctionsOf, MultiplyByThemselves) {
  ExpectMaps(simd_->elements.square, 0.0F, 0.0F, 0.0, [](double x) { return x * x; });
  ExpectMaps(simd_->elements.cube, 0.0F, 0.0F, 0.0, [](double x) { return x * x * x; });
}

std::string NameOfSet(const testing::TestParamInfo<InstructionSet>& set) {
  constexpr const char* kNames[] = {"Baseline", "Avx2", "Avx512"};
  return kNames[static_cast<std::size_t>(set.param)];
}

INSTANTIATE_TEST_SUITE_P(CpuAcc, ElementFunctionsOf,
                         testing::Values(InstructionSet::kBaseline, InstructionSet::kAvx2,
                                         InstructionSet::kAvx512),
                         NameOfSet);

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
