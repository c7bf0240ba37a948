#pragma once

#include <backplane/runtime/i_network.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace backplane::test {

/// Makes networks of float32 layers that read one another at random; equal seeds give equal ones.
class RandomNetwork {
 public:
  explicit RandomNetwork(std::uint32_t seed) : random_(seed) {}

  /// Two inputs "x0" and "x1" of [4, 6], the layers "0", "1", ..., and the last ones as outputs.
  std::unique_ptr<INetwork> Make(std::uint32_t num_layers) {
    auto network = INetwork::Create("random");
    wide_ = {network->AddInputLayer(Float({4, 6}), "x0"),
             network->AddInputLayer(Float({4, 6}), "x1")};
    flat_.clear();
    for (std::uint32_t i = 0; i < num_layers; ++i) AddLayer(*network, std::to_string(i));
    network->AddOutputLayer(wide_.back(), "y0");
    network->AddOutputLayer(wide_[wide_.size() / 2], "y1");
    if (!flat_.empty()) network->AddOutputLayer(flat_.back(), "y2");
    return network;
  }

 private:
  using Tensors = std::vector<OutputSlot>;

  static TensorInfo Float(const TensorShape& shape) { return {shape, DataType::kFloat32}; }

  std::uint32_t Below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }

  // Often one of the last, sometimes any.
  OutputSlot Pick(const Tensors& tensors) {
    const std::size_t reach =
        Below(4) == 0 ? tensors.size() : std::min<std::size_t>(tensors.size(), 4);
    return tensors[tensors.size() - 1 - Below(reach)];
  }

  void AddLayer(INetwork& network, const std::string& name) {
    switch (Below(7)) {
      case 0:
        return AddActivation(network, name);
      case 1:
        return AddReshape(network, name);
      case 2:
        return Add(wide_, backplane::AddLayer<LayerType::kSoftmax>(network, MakeSoftmax(),
                                                                   {Pick(wide_)}, name));
      case 3:
        return AddFullyConnected(network, name);
      default:
        return AddBinary(network, name);
    }
  }

  void AddActivation(INetwork& network, const std::string& name) {
    constexpr ActivationFunction kFunctions[] = {
        ActivationFunction::kRelu, ActivationFunction::kSigmoid, ActivationFunction::kTanH};
    ActivationDescriptor descriptor;
    descriptor.function = kFunctions[Below(3)];
    Tensors& tensors = !flat_.empty() && Below(3) == 0 ? flat_ : wide_;
    Add(tensors,
        backplane::AddLayer<LayerType::kActivation>(network, descriptor, {Pick(tensors)}, name));
  }

  // There and back.
  void AddReshape(INetwork& network, const std::string& name) {
    const bool is_back = !flat_.empty() && Below(2) == 0;
    ReshapeDescriptor descriptor;
    descriptor.rank = is_back ? 2 : 1;
    descriptor.dims[0] = is_back ? 4 : 24;
    descriptor.dims[1] = is_back ? 6 : 0;
    const OutputSlot input = Pick(is_back ? flat_ : wide_);
    Add(is_back ? wide_ : flat_,
        backplane::AddLayer<LayerType::kReshape>(network, descriptor, {input}, name));
  }

  void AddFullyConnected(INetwork& network, const std::string& name) {
    const OutputSlot weights = AddConstant(network, {6, 6}, name + " weights");
    const OutputSlot bias = AddConstant(network, {6}, name + " bias");
    Add(wide_, backplane::AddLayer<LayerType::kFullyConnected>(network, FullyConnectedDescriptor(),
                                                               {Pick(wide_), weights, bias}, name));
  }

  void AddBinary(INetwork& network, const std::string& name) {
    constexpr BinaryOperation kOperations[] = {BinaryOperation::kAdd, BinaryOperation::kSub,
                                               BinaryOperation::kMaximum};
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation = kOperations[Below(3)];
    Tensors& tensors = flat_.size() > 1 && Below(3) == 0 ? flat_ : wide_;
    Add(tensors, backplane::AddLayer<LayerType::kElementwiseBinary>(
                     network, descriptor, {Pick(tensors), Pick(tensors)}, name));
  }

  OutputSlot AddConstant(INetwork& network, const TensorShape& shape, const std::string& name) {
    std::vector<float> values(static_cast<std::size_t>(shape.GetNumElements()));
    for (float& value : values) value = static_cast<float>(Below(201)) / 100.0F - 1.0F;
    return network.AddConstantLayer(
        Float(shape), CopyConstantData(values.data(), values.size() * sizeof(float)), name);
  }

  static SoftmaxDescriptor MakeSoftmax() {
    SoftmaxDescriptor descriptor;
    descriptor.axis = 1;
    return descriptor;
  }

  static void Add(Tensors& tensors, LayerId layer) { tensors.push_back({layer, 0}); }

  std::mt19937 random_;
  Tensors wide_;  // of [4, 6]
  Tensors flat_;  // of [24]
};

}  // namespace backplane::test
