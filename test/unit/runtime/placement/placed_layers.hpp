#pragma once

#include "graph/network.hpp"
#include "placement/tensor_kind.hpp"
#include "test_networks.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// A network built layer by layer, each given to a backend.
class PlacedLayers {
 public:
  OutputSlot AddInput(const TensorShape& shape) {
    const OutputSlot slot =
        network_->AddInputLayer(Float(shape), "x" + std::to_string(backend_of_layer_.size()));
    Place(kCoreBackend);
    return slot;
  }
  OutputSlot AddConstant(const TensorShape& shape) {
    const std::vector<float> zeros(static_cast<std::size_t>(shape.GetNumElements()));
    const OutputSlot slot = network_->AddConstantLayer(
        Float(shape), CopyConstantData(zeros.data(), zeros.size() * sizeof(float)), "");
    Place(kCoreBackend);
    return slot;
  }
  OutputSlot AddRelu(std::uint32_t backend, OutputSlot input, const std::string& name = "") {
    return Place(backend, backplane::AddRelu(*network_, input, name));
  }
  OutputSlot AddSum(std::uint32_t backend, OutputSlot a, OutputSlot b,
                    const std::string& name = "") {
    return Place(backend, backplane::AddSum(*network_, a, b, name));
  }
  OutputSlot AddView(std::uint32_t backend, OutputSlot input, const TensorShape& shape,
                     const std::string& name = "") {
    return Place(backend, backplane::AddView(*network_, input, shape, name));
  }
  OutputSlot AddConcat(std::uint32_t backend, const std::vector<OutputSlot>& inputs,
                       std::uint32_t axis = 0, const std::string& name = "") {
    ConcatDescriptor descriptor;
    descriptor.axis = axis;
    return Place(backend, AddLayer<LayerType::kConcat>(*network_, descriptor, inputs, name));
  }
  std::vector<OutputSlot> AddSplit(std::uint32_t backend, OutputSlot input,
                                   const std::vector<std::int64_t>& extents, std::uint32_t axis = 0,
                                   const std::string& name = "") {
    SplitDescriptor descriptor;
    descriptor.axis = axis;
    for (const std::int64_t extent : extents) descriptor.extents[descriptor.num_parts++] = extent;
    const OutputSlot first =
        Place(backend, AddLayer<LayerType::kSplit>(*network_, descriptor, {input}, name));
    std::vector<OutputSlot> parts;
    for (std::uint32_t i = 0; i < extents.size(); ++i) parts.push_back({first.layer, i});
    return parts;
  }
  void AddOutput(OutputSlot tensor) {
    network_->AddOutputLayer(tensor, "y" + std::to_string(backend_of_layer_.size()));
    Place(kCoreBackend);
  }

  const Graph& GetGraph() const { return static_cast<const Network&>(*network_).GetGraph(); }
  const std::vector<std::uint32_t>& GetBackends() const { return backend_of_layer_; }

 private:
  OutputSlot Place(std::uint32_t backend, LayerId layer = 0) {
    backend_of_layer_.push_back(backend);
    return {layer, 0};
  }

  const std::unique_ptr<INetwork> network_ = INetwork::Create("net");
  std::vector<std::uint32_t> backend_of_layer_;
};

}  // namespace backplane
