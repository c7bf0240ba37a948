#include "cpu_layers/activation_function.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/activation_of_integers.hpp"

#include <backplane/api/descriptors/activation.hpp>

#include <cmath>
#include <type_traits>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class ActivationKernel : public Kernel {
 public:
  explicit ActivationKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<ActivationDescriptor>()),
        stored_(layer.Output().data_type),
        num_elements_(layer.Output().shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    const auto apply = [input, output, count = num_elements_](auto function) {
      for (std::int64_t i = 0; i < count; ++i) output[i] = function(input[i]);
    };
    if constexpr (std::is_floating_point<Number>::value) {
      VisitActivation<Number>(descriptor_, apply);
    } else {
      VisitActivationOfIntegers<Number>(descriptor_, stored_, apply);
    }
  }

 private:
  const ActivationDescriptor descriptor_;
  const DataType stored_;
  const std::int64_t num_elements_;
};

// The enumerators are numbered without a gap.
bool IsKnown(ActivationFunction function) {
  return function >= ActivationFunction::kRelu && function <= ActivationFunction::kLinear;
}

bool TakesIntegers(ActivationFunction function) {
  return function == ActivationFunction::kRelu || function == ActivationFunction::kBoundedRelu ||
         function == ActivationFunction::kShrink;
}

}  // namespace

std::string FindRefusalOfActivation(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<ActivationDescriptor>();
  const ActivationFunction function = descriptor.function;
  if (TakesIntegers(function)) {
    RequireNumbers(layer, refusal);
  } else {
    RequireFloats(layer, refusal);
  }
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  if (!IsKnown(function)) {
    refusal.Add("activation function ", static_cast<std::uint32_t>(function),
                " is not supported, only 1 (Relu) to 19 (Linear)");
  }
  if (std::isnan(descriptor.alpha) || std::isnan(descriptor.beta)) {
    refusal.Add("alpha or beta is not a number");
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeActivation(const Layer& layer) {
  return MakeNumberKernel<ActivationKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
