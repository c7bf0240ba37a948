#pragma once

/// Networks of the core from plans, for those who link it.

#include "conformance/network_plan.hpp"

#include <backplane/runtime/i_network.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace conformance {

/// Copies the data of a constant.
using CopyConstant = std::function<std::shared_ptr<const void>(const void*, std::size_t)>;

/// Layers are called "0", "1", ...
/// Errors: DiagnosticException.
inline std::unique_ptr<INetwork> BuildNetwork(const NetworkPlan& plan,
                                              const CopyConstant& copy = CopyConstantData) {
  auto network = INetwork::Create("random");
  std::vector<OutputSlot> slots(plan.tensors.size());
  const auto get_info = [&](std::size_t tensor) {
    return TensorInfo(plan.tensors[tensor], DataType::kFloat32);
  };
  for (const std::size_t input : plan.inputs) {
    slots[input] = network->AddInputLayer(get_info(input), "x" + std::to_string(input));
  }
  for (std::size_t tensor = 0; tensor < plan.tensors.size(); ++tensor) {
    const std::vector<float>& elements = plan.constants[tensor];
    if (elements.empty()) continue;
    slots[tensor] = network->AddConstantLayer(
        get_info(tensor), copy(elements.data(), elements.size() * sizeof(float)),
        "c" + std::to_string(tensor));
  }
  for (std::size_t i = 0; i < plan.layers.size(); ++i) {
    const PlannedLayer& layer = plan.layers[i];
    std::vector<OutputSlot> inputs;
    for (const std::size_t input : layer.inputs) inputs.push_back(slots[input]);
    const LayerId id = network->AddOperatorLayer(layer.layer.type, *layer.layer.descriptor, inputs,
                                                 std::to_string(i));
    for (std::uint32_t output = 0; output < layer.outputs.size(); ++output) {
      slots[layer.outputs[output]] = {id, output};
    }
  }
  for (const std::size_t output : plan.outputs) {
    network->AddOutputLayer(slots[output], "y" + std::to_string(output));
  }
  return network;
}

}  // namespace conformance
}  // namespace backplane
