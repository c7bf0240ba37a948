#include "cpu_layers/activation_function.hpp"
#include "cpu_layers/enumerators.hpp"
#include "kernels/kernel_table.hpp"
#include "quantised/byte_table.hpp"
#include "quantised/quantised_types.hpp"

#include <backplane/api/descriptors/activation.hpp>

#include <cmath>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfActivation(const Layer& layer) {
  Refusal refusal;
  if (IsQuantised(layer)) {
    RequireBytesWithOneScale(layer, refusal);
  } else {
    RequireFloat32(layer, refusal);
  }
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  const auto descriptor = layer.GetDescriptor<ActivationDescriptor>();
  RequireEnumerator("activation function", descriptor.function, ActivationFunction::kLinear,
                    "1 (Relu) to 19 (Linear)", refusal);
  if (std::isnan(descriptor.alpha) || std::isnan(descriptor.beta)) {
    refusal.Add("alpha or beta is not a number, but both must be");
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeActivation(KernelMaker& maker) {
  ByteTable table = {};
  const auto visit = [&](auto function) {
    table = MakeByteTable(maker.GetInput(0).info, maker.GetOutput().info, function);
  };
  cpu_layers::VisitActivation<double>(maker.GetNode().GetDescriptor<ActivationDescriptor>(), visit);
  return MakeByteTableKernel(maker, table);
}

}  // namespace cpuacc
}  // namespace backplane
