#pragma once

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane {

inline TensorInfo Float(const TensorShape& shape) {
  return {shape, DataType::kFloat32};
}

inline LayerId AddRelu(INetwork& network, OutputSlot input, const std::string& name) {
  return AddLayer<LayerType::kActivation>(network, ActivationDescriptor(), {input}, name);
}

inline LayerId AddSum(INetwork& network, OutputSlot a, OutputSlot b, const std::string& name) {
  return AddLayer<LayerType::kElementwiseBinary>(network, ElementwiseBinaryDescriptor(), {a, b},
                                                 name);
}

/// The same elements under another shape.
inline LayerId AddView(INetwork& network, OutputSlot input, const TensorShape& shape,
                       const std::string& name) {
  ReshapeDescriptor descriptor;
  descriptor.rank = shape.rank;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) descriptor.dims[axis] = shape[axis];
  return AddLayer<LayerType::kReshape>(network, descriptor, {input}, name);
}

/// An input "x" of [4], activations with these names one after the other, and an output "y". The
/// test backend adds 1 in each.
inline std::unique_ptr<INetwork> MakeChain(const std::vector<std::string>& names) {
  auto network = INetwork::Create("chain");
  OutputSlot tensor = network->AddInputLayer(Float({4}), "x");
  for (const std::string& name : names) tensor = {AddRelu(*network, tensor, name), 0};
  network->AddOutputLayer(tensor, "y");
  return network;
}

inline InputTensor MakeInput(LayerBindingId id, const std::vector<float>& values) {
  return {id, {Float({static_cast<std::int64_t>(values.size())}), values.data()}};
}

inline OutputTensor MakeOutput(LayerBindingId id, std::vector<float>& values) {
  return {id, values.data(), values.size() * sizeof(float)};
}

}  // namespace backplane
