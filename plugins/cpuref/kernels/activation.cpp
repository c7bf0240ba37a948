#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "refusal.hpp"

#include <backplane/api/descriptors/activation.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace backplane {
namespace cpuref {
namespace {

/// Comparisons are written so that NaN stays NaN.
template <typename Number>
Number ComputeRelu(Number x) {
  return x < 0 ? Number{} : x;
}

template <typename Number>
struct Bounds {
  Number least;
  Number greatest;

  Number operator()(Number x) const {
    const Number bounded_below = x < least ? least : x;
    return bounded_below > greatest ? greatest : bounded_below;
  }
};

template <typename Number>
Number ComputeLeakyRelu(Number x, Number slope) {
  return x >= 0 ? x : slope * x;
}

template <typename Number>
Number ComputeSigmoid(Number x) {
  return 1 / (1 + std::exp(-x));
}

/// Bounds of integers are drawn inwards to the next integer, and to the ends of the stored type:
/// what is stored is never outside of the bounds because it was cut off.
template <typename Number>
Bounds<Number> MakeBounds(const ActivationDescriptor& descriptor, DataType type) {
  if constexpr (std::is_floating_point<Number>::value) {
    return {static_cast<Number>(descriptor.beta), static_cast<Number>(descriptor.alpha)};
  } else {
    const auto bits = 8 * GetDataTypeSizeBytes(type);
    const Number greatest = std::numeric_limits<Number>::max() >> (64 - bits);
    const Number least = std::is_signed<Number>::value ? -greatest - 1 : 0;
    const auto saturate = [least, greatest](double bound) {
      if (bound <= static_cast<double>(least)) return least;
      return bound >= static_cast<double>(greatest) ? greatest : static_cast<Number>(bound);
    };
    return {saturate(std::ceil(static_cast<double>(descriptor.beta))),
            saturate(std::floor(static_cast<double>(descriptor.alpha)))};
  }
}

template <typename Number>
class ActivationKernel : public Kernel {
 public:
  explicit ActivationKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<ActivationDescriptor>()),
        bounds_(MakeBounds<Number>(descriptor_, layer.Output().data_type)),
        num_elements_(layer.Output().shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    switch (descriptor_.function) {
      case ActivationFunction::kRelu:
        return Apply(input, output, [](Number x) { return ComputeRelu(x); });
      case ActivationFunction::kBoundedRelu:
        return Apply(input, output, bounds_);
      default:
        if constexpr (std::is_floating_point<Number>::value) ApplyFloatFunction(input, output);
    }
  }

 private:
  void ApplyFloatFunction(const Number* input, Number* output) const {
    const auto alpha = static_cast<Number>(descriptor_.alpha);
    const auto beta = static_cast<Number>(descriptor_.beta);
    switch (descriptor_.function) {
      case ActivationFunction::kLeakyRelu:
        return Apply(input, output, [alpha](Number x) { return ComputeLeakyRelu(x, alpha); });
      case ActivationFunction::kSigmoid:
        return Apply(input, output, [](Number x) { return ComputeSigmoid(x); });
      case ActivationFunction::kTanH:
        return Apply(input, output,
                     [alpha, beta](Number x) { return alpha * std::tanh(beta * x); });
      default:
        return;
    }
  }

  template <typename Function>
  void Apply(const Number* input, Number* output, Function function) const {
    for (std::int64_t i = 0; i < num_elements_; ++i) output[i] = function(input[i]);
  }

  const ActivationDescriptor descriptor_;
  const Bounds<Number> bounds_;
  const std::int64_t num_elements_;
};

bool IsKnown(ActivationFunction function) {
  switch (function) {
    case ActivationFunction::kRelu:
    case ActivationFunction::kBoundedRelu:
    case ActivationFunction::kLeakyRelu:
    case ActivationFunction::kSigmoid:
    case ActivationFunction::kTanH:
      return true;
  }
  return false;
}

bool TakesIntegers(ActivationFunction function) {
  return function == ActivationFunction::kRelu || function == ActivationFunction::kBoundedRelu;
}

}  // namespace

std::string FindRefusalOfActivation(const Layer& layer) {
  Refusal refusal;
  const auto function = layer.GetDescriptor<ActivationDescriptor>().function;
  if (TakesIntegers(function)) {
    RequireNumbers(layer, refusal);
  } else {
    RequireFloats(layer, refusal);
  }
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  if (!IsKnown(function)) {
    refusal.Add("activation function ", static_cast<std::uint32_t>(function),
                " is not supported, only Relu (1), BoundedRelu (2), LeakyRelu (3), Sigmoid (4) and "
                "TanH (5)");
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeActivation(const Layer& layer) {
  return MakeNumberKernel<ActivationKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
