#include "cpu_layers/enumerators.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/window_function.hpp>

#include <cmath>

namespace backplane {
namespace reference {
namespace {

constexpr double kTwoPi = 6.283185307179586476925;

/// A sum of cosines: constant - first * cos(t) + second * cos(2 * t).
struct Coefficients {
  double constant;
  double first;
  double second;
};

Coefficients GetCoefficients(WindowFunction function) {
  switch (function) {
    case WindowFunction::kHamming:
      return {25.0 / 46, 21.0 / 46, 0};
    case WindowFunction::kBlackman:
      return {0.42, 0.5, 0.08};
    default:
      return {0.5, 0.5, 0};
  }
}

template <typename Number>
class WindowFunctionKernel : public Kernel {
 public:
  explicit WindowFunctionKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<WindowFunctionDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    auto* output = tensors.Output<Number>();
    const std::int64_t divisor =
        descriptor_.is_periodic == 1 ? descriptor_.size : descriptor_.size - 1;
    if (divisor == 0) {
      *output = 1;
      return;
    }
    const Coefficients coefficients = GetCoefficients(descriptor_.function);
    for (std::int64_t i = 0; i < descriptor_.size; ++i) {
      const double t = kTwoPi * static_cast<double>(i) / static_cast<double>(divisor);
      output[i] = static_cast<Number>(coefficients.constant - coefficients.first * std::cos(t) +
                                      coefficients.second * std::cos(2 * t));
    }
  }

 private:
  const WindowFunctionDescriptor descriptor_;
};

}  // namespace

std::string FindRefusalOfWindowFunction(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<WindowFunctionDescriptor>();
  RequireFloats(layer, refusal);
  RefuseQuantised(layer, refusal);
  RequireEnumerator("window function", descriptor.function, WindowFunction::kBlackman,
                    "Hann (1), Hamming (2) and Blackman (3)", refusal);
  RequireFlag("is_periodic", descriptor.is_periodic, refusal);
  if (layer.Output().data_type != descriptor.data_type) {
    refusal.Add("data type ", GetDataTypeName(layer.Output().data_type),
                " of the output differs from ", GetDataTypeName(descriptor.data_type),
                " of the descriptor");
  }
  RequireOutputShape(layer, {descriptor.size}, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeWindowFunction(const Layer& layer) {
  return MakeFloatKernel<WindowFunctionKernel>(layer, layer.Output());
}

}  // namespace reference
}  // namespace backplane
