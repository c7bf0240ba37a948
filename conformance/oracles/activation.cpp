#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/activation.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace conformance {
namespace activation {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (std::uint32_t function = 1; function <= 19; ++function) {
    ActivationDescriptor descriptor;
    descriptor.function = ActivationFunction{function};
    descriptor.alpha = static_cast<float>(random.Integer(1, 90)) / 7.0F;
    descriptor.beta = static_cast<float>(random.Integer(-50, 0)) / 7.0F;
    const TensorShape shape = random.Shape(3, 1, 5);
    cases.push_back(MakeCase(LayerType::kActivation, descriptor, {shape}, shape));
  }
  return cases;
}

LayerTraits GetTraits(const LayerCase& layer) {
  switch (layer.Get<ActivationDescriptor>().function) {
    case ActivationFunction::kRelu:
    case ActivationFunction::kBoundedRelu:
    case ActivationFunction::kShrink:
      return {PlainTypes::kNumbers, QuantisedTypes::kCalculated};
    default:
      return {PlainTypes::kFloats, QuantisedTypes::kCalculated};
  }
}

long double ComputeReal(ActivationFunction function, long double x, long double alpha,
                        long double beta) {
  const long double exponential = std::exp(x);
  switch (function) {
    case ActivationFunction::kRelu:
      return std::max(x, 0.0L);
    case ActivationFunction::kBoundedRelu:
      return std::min(std::max(x, beta), alpha);
    case ActivationFunction::kLeakyRelu:
      return x < 0 ? alpha * x : x;
    case ActivationFunction::kSigmoid:
      return exponential / (1 + exponential);
    case ActivationFunction::kTanH:
      return alpha * std::tanh(beta * x);
    case ActivationFunction::kElu:
      return x < 0 ? alpha * (exponential - 1) : x;
    case ActivationFunction::kSelu:
      return beta * (x < 0 ? alpha * exponential - alpha : x);
    case ActivationFunction::kCelu:
      return std::max(x, 0.0L) + std::min(0.0L, alpha * (std::exp(x / alpha) - 1));
    case ActivationFunction::kGelu:
      return x / 2 * (1 + std::erf(x / std::sqrt(2.0L)));
    case ActivationFunction::kGeluTanH:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0L)) * (x + 0.044715L * x * x * x)));
    case ActivationFunction::kHardSigmoid:
      return std::max(0.0L, std::min(1.0L, alpha * x + beta));
    case ActivationFunction::kHardSwish:
      return x * std::max(0.0L, std::min(1.0L, x / 6 + 0.5L));
    case ActivationFunction::kSwish:
      return x / (1 + std::exp(-alpha * x));
    case ActivationFunction::kSoftplus:
      return std::log(1 + exponential);
    case ActivationFunction::kSoftsign:
      return x / (1 + std::fabs(x));
    case ActivationFunction::kMish:
      return x * std::tanh(std::log(1 + exponential));
    case ActivationFunction::kThresholdedRelu:
      return x > alpha ? x : 0;
    case ActivationFunction::kShrink:
      return x < -alpha ? x + beta : x > alpha ? x - beta : 0;
    case ActivationFunction::kLinear:
      return alpha * x + beta;
  }
  return std::nan("");
}

/// In steps of 2^-40, finer than those of the parameters; the division rounds towards zero.
Wide Shrink(Wide x, long double alpha, long double beta) {
  const Wide one = Wide{1} << 40;
  const auto scale = [one](long double real) {
    return static_cast<Wide>(real * static_cast<long double>(one));
  };
  if (x * one < -scale(alpha)) return (x * one + scale(beta)) / one;
  if (x * one > scale(alpha)) return (x * one - scale(beta)) / one;
  return 0;
}

Wide ComputeInteger(ActivationFunction function, Wide x, long double alpha, long double beta) {
  if (function == ActivationFunction::kRelu) return std::max(x, Wide{0});
  if (function == ActivationFunction::kShrink) return Shrink(x, alpha, beta);
  return std::min(std::max(x, static_cast<Wide>(std::ceil(beta))),
                  static_cast<Wide>(std::floor(alpha)));
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const auto descriptor = layer.Get<ActivationDescriptor>();
  const auto alpha = static_cast<long double>(descriptor.alpha);
  const auto beta = static_cast<long double>(descriptor.beta);
  return EvaluateEach<Number>(layer, output, [&](const Indices& at) -> Number {
    const Number x = inputs[0].At(at);
    if constexpr (kIsReal<Number>) {
      return ComputeReal(descriptor.function, x, alpha, beta);
    } else {
      return static_cast<Number>(
          ComputeInteger(descriptor.function, static_cast<Wide>(x), alpha, beta));
    }
  });
}

LayerCase Describe(ActivationFunction function, float alpha, float beta, const TensorShape& shape) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = alpha;
  descriptor.beta = beta;
  return MakeCase(LayerType::kActivation, descriptor, {shape}, shape);
}

EdgeCase Apply(ActivationFunction function, float alpha, float beta, const Elements& input,
               const Elements& output, DataType type = DataType::kFloat32) {
  const TensorShape shape = {static_cast<std::int64_t>(input.size())};
  return {As(type, Describe(function, alpha, beta, shape)), {input}, {output}};
}

using Function = ActivationFunction;
constexpr std::uint32_t kNumFunctions = 19;

/// Where they go at -infinity and infinity.
void AddLimits(std::vector<EdgeCase>& edges) {
  const struct {
    Function function;
    float alpha;
    float beta;
    Elements limits;
    long double of_nan = kNaN;
  } rows[] = {
      {Function::kRelu, 1, 1, {0, kInfinity}},
      {Function::kBoundedRelu, 6, 0, {0, 6}},
      {Function::kLeakyRelu, 0.5F, 1, {-kInfinity, kInfinity}},
      {Function::kSigmoid, 1, 1, {0, 1}},
      {Function::kTanH, 1, 1, {-1, 1}},
      {Function::kElu, 2, 1, {-2, kInfinity}},
      {Function::kSelu, 2, 3, {-6, kInfinity}},
      {Function::kCelu, 2, 1, {-2, kInfinity}},
      {Function::kGelu, 1, 1, {0, kInfinity}},
      {Function::kGeluTanH, 1, 1, {0, kInfinity}},
      {Function::kHardSigmoid, 0.2F, 0.5F, {0, 1}},
      {Function::kHardSwish, 1, 1, {0, kInfinity}},
      {Function::kSwish, 1, 1, {0, kInfinity}},
      {Function::kSoftplus, 1, 1, {0, kInfinity}},
      {Function::kSoftsign, 1, 1, {-1, 1}},
      {Function::kMish, 1, 1, {0, kInfinity}},
      {Function::kThresholdedRelu, 1, 1, {0, kInfinity}, 0},
      {Function::kShrink, 1, 1, {-kInfinity, kInfinity}, 0},
      {Function::kLinear, -1, 1, {kInfinity, -kInfinity}},
  };
  static_assert(sizeof(rows) / sizeof(rows[0]) == kNumFunctions);
  for (const auto& row : rows) {
    edges.push_back(Apply(row.function, row.alpha, row.beta, {-kInfinity, kInfinity}, row.limits));
    // Long enough for the vectorised part of the loop.
    edges.push_back(Apply(row.function, 1, 1, Elements(19, kNaN), Elements(19, row.of_nan)));
  }
}

/// Where exponentials and cubes of the argument are infinite, results are not, and where little
/// is left of them, it is precise.
void AddExtremes(std::vector<EdgeCase>& edges) {
  const Elements large = {-1e30F, -200, 200, 1e30F};
  for (const Function function : {Function::kGelu, Function::kGeluTanH, Function::kHardSwish,
                                  Function::kSwish, Function::kSoftplus, Function::kMish}) {
    edges.push_back(Apply(function, 1, 1, large, {0, 0, 200, 1e30F}));
  }
  edges.push_back(Apply(Function::kSigmoid, 1, 1, large, {0, 0, 1, 1}));
  edges.push_back(Apply(Function::kElu, 1, 1, large, {-1, -1, 200, 1e30F}));
  const struct {
    Function function;
    long double input;
    long double output;
    long double tolerance;
  } rows[] = {
      {Function::kSoftplus, -40, 4.248354e-18L, 4e-7L},
      {Function::kSigmoid, -40, 4.248354e-18L, 4e-7L},
      {Function::kSwish, -40, -1.6993417e-16L, 4e-7L},
      {Function::kMish, -40, -1.6993417e-16L, 4e-7L},
      {Function::kElu, -1e-10F, -1e-10F, 4e-7L},
      {Function::kGelu, -8, -4.976769e-15L, 2e-5L},
  };
  for (const auto& row : rows) {
    edges.push_back(Apply(row.function, 1, 1, {row.input}, {row.output}));
    edges.back().tolerance = row.tolerance;
  }
}

void AddIntegers(std::vector<EdgeCase>& edges) {
  const auto shrink = [&](DataType type, float alpha, float beta, const Elements& input,
                          const Elements& output) {
    edges.push_back(Apply(Function::kShrink, alpha, beta, input, output, type));
  };
  const auto bound = [&](DataType type, float least, float greatest, const Elements& input,
                         const Elements& output) {
    edges.push_back(Apply(Function::kBoundedRelu, greatest, least, input, output, type));
  };
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63U;
  shrink(DataType::kInt8, 1.5F, 0.5F, {-3, -2, -1, 0, 1, 2, 3}, {-2, -1, 0, 0, 0, 1, 2});
  shrink(DataType::kInt8, 1, 1, {-2, -1, 1, 2, 127, -128}, {-1, 0, 0, 1, 126, -127});
  shrink(DataType::kUInt8, 1.5F, 2.5F, {0, 1, 2, 3, 255}, {0, 0, 0, 0, 252});
  shrink(DataType::kUInt8, -0.5F, 1, {0, 1}, {1, 0});
  shrink(DataType::kInt64, 0, 1, {kLeast, kMost}, {kLeast + 1, kMost - 1});
  shrink(DataType::kInt64, 0, 0.5F, {kLeast, kMost}, {kLeast + 1, kMost - 1});
  shrink(DataType::kInt64, 1e30F, 1, {kLeast, kMost}, {0, 0});
  shrink(DataType::kUInt64, 0x1p63F, 0, {kHalf, kHalf + 1}, {0, kHalf + 1});
  // Bounds are drawn inwards, and to the ends of the type.
  bound(DataType::kInt32, -2.5F, 3.7F, {-9, -2, 3, 9}, {-2, -2, 3, 3});
  bound(DataType::kUInt8, 300, 1e30F, {0, 255}, {255, 255});
  bound(DataType::kInt64, -1e30F, 1e30F, {kLeast, kMost}, {kLeast, kMost});
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges = {
      {Describe(Function::kTanH, 1, 1, {})},
      {Describe(Function::kTanH, 1, 1, {2, 1, 2, 1, 2, 1, 2, 3})},
      {Describe(Function::kRelu, 1, 1, {2, 0}), {{}}, {{}}},
  };
  AddLimits(edges);
  AddExtremes(edges);
  AddIntegers(edges);
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  std::vector<RefusedCase> refused = {
      {Describe(Function{99}, 1, 1, {2}), "invalid-descriptor", "number 99",
       "1 (Relu) to 19 (Linear)",
       "activation function 99 is not supported, only 1 (Relu) to 19 (Linear)"},
      {As(DataType::kBool, Describe(Function::kRelu, 1, 1, {2})), "wrong-data-type", "bool [2]",
       "int64, uint64", RefuseType(DataType::kBool, kOnlyNumbers)},
      {As(DataType::kInt32, Describe(Function::kShrink, 1, kNaN, {2})), "invalid-descriptor",
       "beta nan", "expected numbers", "alpha or beta is not a number"},
      {Describe(Function::kCelu, 0, 1, {2}), "invalid-descriptor", "alpha 0", "another number", ""},
      {Describe(Function::kBoundedRelu, 0, 6, {2}), "invalid-descriptor", "lower bound beta 6",
       "beta <= alpha", ""},
      {Describe(Function::kBoundedRelu, kNaN, 6, {2}), "invalid-descriptor", "alpha nan",
       "expected numbers", "alpha or beta is not a number"},
  };
  for (const Function function :
       {Function::kSigmoid, Function::kThresholdedRelu, Function::kLinear}) {
    refused.push_back({As(DataType::kInt32, Describe(function, 1, 1, {2})), "wrong-data-type",
                       "int32 [2]", "float32", RefuseType(DataType::kInt32, kOnlyFloats)});
  }
  return refused;
}

}  // namespace activation

BACKPLANE_ORACLE(Activation, activation, activation::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
