#include "kernel.hpp"
#include "refusal.hpp"

#include <backplane/api/descriptors/activation.hpp>

#include <cmath>

namespace backplane {
namespace cpuref {
namespace {

/// Comparisons are written so that NaN stays NaN.
float ComputeRelu(float x) {
  return x < 0.0F ? 0.0F : x;
}

float ComputeBoundedRelu(float x, float upper, float lower) {
  const float bounded_below = x < lower ? lower : x;
  return bounded_below > upper ? upper : bounded_below;
}

float ComputeLeakyRelu(float x, float slope) {
  return x >= 0.0F ? x : slope * x;
}

float ComputeSigmoid(float x) {
  return 1.0F / (1.0F + std::exp(-x));
}

class ActivationKernel : public Kernel {
 public:
  explicit ActivationKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<ActivationDescriptor>()),
        num_elements_(layer.Output().shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    const float* input = tensors.Input<float>(0);
    float* output = tensors.Output<float>();
    const float alpha = descriptor_.alpha;
    const float beta = descriptor_.beta;
    switch (descriptor_.function) {
      case ActivationFunction::kRelu:
        return Apply(input, output, [](float x) { return ComputeRelu(x); });
      case ActivationFunction::kBoundedRelu:
        return Apply(input, output,
                     [alpha, beta](float x) { return ComputeBoundedRelu(x, alpha, beta); });
      case ActivationFunction::kLeakyRelu:
        return Apply(input, output, [alpha](float x) { return ComputeLeakyRelu(x, alpha); });
      case ActivationFunction::kSigmoid:
        return Apply(input, output, [](float x) { return ComputeSigmoid(x); });
      case ActivationFunction::kTanH:
        return Apply(input, output, [alpha, beta](float x) { return alpha * std::tanh(beta * x); });
    }
  }

 private:
  template <typename Function>
  void Apply(const float* input, float* output, Function function) const {
    for (std::int64_t i = 0; i < num_elements_; ++i) output[i] = function(input[i]);
  }

  const ActivationDescriptor descriptor_;
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

}  // namespace

std::string FindRefusalOfActivation(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  const auto function = layer.GetDescriptor<ActivationDescriptor>().function;
  if (!IsKnown(function)) {
    refusal.Add("activation function ", static_cast<std::uint32_t>(function),
                " is not supported, only Relu (1), BoundedRelu (2), LeakyRelu (3), Sigmoid (4) and "
                "TanH (5)");
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeActivation(const Layer& layer) {
  return std::make_unique<ActivationKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
