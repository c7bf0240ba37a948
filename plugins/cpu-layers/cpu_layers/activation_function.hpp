#pragma once

/// The activation functions of real numbers, one by one. They take infinities to their limits and
/// keep NaN, for which their comparisons are written.

#include <backplane/api/descriptors/activation.hpp>

#include <cmath>
#include <limits>

namespace backplane {
namespace cpu_layers {

template <typename Number>
Number ComputeRelu(Number x) {
  return x < 0 ? Number{} : x;
}

template <typename Number>
Number Bound(Number x, Number least, Number greatest) {
  const Number bounded_below = x < least ? least : x;
  return bounded_below > greatest ? greatest : bounded_below;
}

template <typename Number>
Number ComputeLeakyRelu(Number x, Number slope) {
  return x >= 0 ? x : slope * x;
}

/// The exponential is at most 1, so that it cannot overflow.
template <typename Number>
Number ComputeSigmoid(Number x) {
  const Number exponential = std::exp(-std::fabs(x));
  return (x < 0 ? exponential : Number{1}) / (1 + exponential);
}

template <typename Number>
Number ComputeSelu(Number x, Number alpha, Number beta) {
  return x > 0 ? beta * x : beta * alpha * std::expm1(x);
}

template <typename Number>
Number ComputeCelu(Number x, Number alpha) {
  return x >= 0 ? x : alpha * std::expm1(x / alpha);
}

/// x * gate, where a closed gate is 0 also for an infinite x.
template <typename Number>
Number ComputeGated(Number x, Number gate) {
  return gate == 0 ? Number{} : x * gate;
}

template <typename Number>
Number ComputeGelu(Number x) {
  constexpr auto kSqrtOfHalf = static_cast<Number>(0.70710678118654752440L);
  return ComputeGated(x, std::erfc(-kSqrtOfHalf * x) / 2);
}

/// (1 + tanh(y)) / 2 is sigmoid(2 * y).
template <typename Number>
Number ComputeGeluTanH(Number x) {
  constexpr auto kTwiceSqrtOfTwoByPi = static_cast<Number>(1.59576912160573071176L);
  constexpr auto kCubic = static_cast<Number>(0.044715L);
  return ComputeGated(x, ComputeSigmoid(kTwiceSqrtOfTwoByPi * (x + kCubic * x * x * x)));
}

template <typename Number>
Number ComputeHardSwish(Number x) {
  return ComputeGated(x, Bound<Number>(x / 6 + Number{0.5}, 0, 1));
}

template <typename Number>
Number ComputeSoftplus(Number x) {
  return (x > 0 ? x : Number{}) + std::log1p(std::exp(-std::fabs(x)));
}

template <typename Number>
Number ComputeSoftsign(Number x) {
  return std::isinf(x) ? std::copysign(Number{1}, x) : x / (1 + std::fabs(x));
}

template <typename Number>
Number ComputeShrink(Number x, Number alpha, Number beta) {
  if (x < -alpha) return x + beta;
  return x > alpha ? x - beta : Number{};
}

/// Calls visit(function), where function(x) is what the descriptor says; not at all when the
/// function is not known.
template <typename Number, typename Visit>
void VisitActivation(const ActivationDescriptor& descriptor, const Visit& visit) {
  const auto a = static_cast<Number>(descriptor.alpha);
  const auto b = static_cast<Number>(descriptor.beta);
  switch (descriptor.function) {
    case ActivationFunction::kRelu:
      return visit([](Number x) { return ComputeRelu(x); });
    case ActivationFunction::kBoundedRelu:
      return visit([a, b](Number x) { return Bound(x, b, a); });
    case ActivationFunction::kLeakyRelu:
      return visit([a](Number x) { return ComputeLeakyRelu(x, a); });
    case ActivationFunction::kSigmoid:
      return visit([](Number x) { return ComputeSigmoid(x); });
    case ActivationFunction::kTanH:
      return visit([a, b](Number x) { return a * std::tanh(b * x); });
    case ActivationFunction::kElu:
      return visit([a](Number x) { return x >= 0 ? x : a * std::expm1(x); });
    case ActivationFunction::kSelu:
      return visit([a, b](Number x) { return ComputeSelu(x, a, b); });
    case ActivationFunction::kCelu:
      return visit([a](Number x) { return ComputeCelu(x, a); });
    case ActivationFunction::kGelu:
      return visit([](Number x) { return ComputeGelu(x); });
    case ActivationFunction::kGeluTanH:
      return visit([](Number x) { return ComputeGeluTanH(x); });
    case ActivationFunction::kHardSigmoid:
      return visit([a, b](Number x) { return Bound<Number>(a * x + b, 0, 1); });
    case ActivationFunction::kHardSwish:
      return visit([](Number x) { return ComputeHardSwish(x); });
    case ActivationFunction::kSwish:
      return visit([a](Number x) { return ComputeGated(x, ComputeSigmoid(a * x)); });
    case ActivationFunction::kSoftplus:
      return visit([](Number x) { return ComputeSoftplus(x); });
    case ActivationFunction::kSoftsign:
      return visit([](Number x) { return ComputeSoftsign(x); });
    case ActivationFunction::kMish:
      return visit([](Number x) { return ComputeGated(x, std::tanh(ComputeSoftplus(x))); });
    case ActivationFunction::kThresholdedRelu:
      return visit([a](Number x) { return x > a ? x : Number{}; });
    case ActivationFunction::kShrink:
      return visit([a, b](Number x) { return ComputeShrink(x, a, b); });
    case ActivationFunction::kLinear:
      return visit([a, b](Number x) { return a * x + b; });
  }
}

}  // namespace cpu_layers
}  // namespace backplane
