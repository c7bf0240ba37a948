#include "test/layer_case.hpp"

#include <backplane/api/descriptors/activation.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuref_test {
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

}  // namespace activation

CPUREF_ORACLE(Activation, activation, activation::GetTraits(layer));

}  // namespace cpuref_test
}  // namespace backplane
