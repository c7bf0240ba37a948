#include "cpu_layers/enumerators.hpp"
#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/activation.hpp>

#include <cmath>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfActivation(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  const auto descriptor = layer.GetDescriptor<ActivationDescriptor>();
  RequireEnumerator("activation function", descriptor.function, ActivationFunction::kLinear,
                    "1 (Relu) to 19 (Linear)", refusal);
  if (std::isnan(descriptor.alpha) || std::isnan(descriptor.beta)) {
    refusal.Add("alpha or beta is not a number, but both must be");
  }
  return refusal.GetReason();
}

}  // namespace cpuacc
}  // namespace backplane
