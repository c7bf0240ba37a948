#pragma once

#include <backplane/api/descriptors/recurrent.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace backplane {
namespace reference {

/// Bounds numbers and applies the activation of a gate to them. NaN stays NaN.
template <typename Number>
class GateFunction {
 public:
  /// `clip` 0: no bounds.
  GateFunction(const RecurrentGate& gate, float clip)
      : function_(gate.function),
        alpha_(static_cast<Number>(gate.alpha)),
        beta_(static_cast<Number>(gate.beta)),
        clip_(static_cast<Number>(clip)) {}

  /// The output may be the input.
  void Apply(const Number* input, std::int64_t count, Number* output) const {
    if (clip_ > 0) {
      ApplyFunction(input, count, output, [this](Number x) { return Bound(x, -clip_, clip_); });
    } else {
      ApplyFunction(input, count, output, [](Number x) { return x; });
    }
  }

 private:
  static Number Bound(Number x, Number least, Number greatest) {
    const Number bounded_below = x < least ? least : x;
    return bounded_below > greatest ? greatest : bounded_below;
  }

  template <typename Clip>
  void ApplyFunction(const Number* input, std::int64_t count, Number* output, Clip clip) const {
    const auto apply = [&](auto function) {
      for (std::int64_t i = 0; i < count; ++i) output[i] = function(clip(input[i]));
    };
    const Number alpha = alpha_;
    const Number beta = beta_;
    switch (function_) {
      case RecurrentActivation::kAffine:
        return apply([=](Number x) { return alpha * x + beta; });
      case RecurrentActivation::kRelu:
        return apply([](Number x) { return x < 0 ? Number{} : x; });
      case RecurrentActivation::kLeakyRelu:
        return apply([=](Number x) { return x < 0 ? alpha * x : x; });
      case RecurrentActivation::kThresholdedRelu:
        return apply([=](Number x) { return x > alpha ? x : Number{}; });
      case RecurrentActivation::kTanH:
        return apply([=](Number x) { return alpha * std::tanh(beta * x); });
      case RecurrentActivation::kSigmoid:
        return apply([](Number x) { return 1 / (1 + std::exp(-x)); });
      case RecurrentActivation::kHardSigmoid:
        return apply([=](Number x) { return Bound(alpha * x + beta, 0, 1); });
      case RecurrentActivation::kElu:
        return apply([=](Number x) { return x < 0 ? alpha * std::expm1(x) : x; });
      case RecurrentActivation::kSoftsign:
        return apply([](Number x) { return x / (1 + std::fabs(x)); });
      case RecurrentActivation::kSoftplus:
        return apply(
            [](Number x) { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::fabs(x))); });
    }
  }

  RecurrentActivation function_;
  Number alpha_;
  Number beta_;
  Number clip_;
};

}  // namespace reference
}  // namespace backplane
