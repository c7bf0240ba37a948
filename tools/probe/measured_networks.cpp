#include "measured_networks.hpp"

#include <utility>

namespace backplane::measuring {
namespace {

TensorInfo Describe(const TensorShape& shape) {
  return TensorInfo(shape, DataType::kFloat32);
}

/// Small values of both signs, none of them denormal.
OutputSlot AddWeights(INetwork& network, const TensorShape& shape, const std::string& name) {
  const TensorInfo info = Describe(shape);
  std::vector<float> values(static_cast<std::size_t>(shape.GetNumElements()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = (static_cast<float>(i % 7) - 2.5F) / 64.0F;
  }
  return network.AddConstantLayer(
      info, CopyConstantData(values.data(), values.size() * sizeof(float)), name);
}

OutputSlot AddRelu(INetwork& network, OutputSlot input, const std::string& name) {
  return {AddLayer<LayerType::kActivation>(network, {}, {input}, name), 0};
}

OutputSlot AddConvolution(INetwork& network, OutputSlot input, const TensorShape& weights,
                          const std::string& name) {
  ConvolutionDescriptor convolution;
  const auto pad = static_cast<std::uint32_t>(weights[2] / 2);
  for (int axis = 0; axis < 2; ++axis) {
    convolution.pads_begin[axis] = pad;
    convolution.pads_end[axis] = pad;
  }
  const OutputSlot kernel = AddWeights(network, weights, name + " weights");
  const OutputSlot bias = AddWeights(network, {weights[0]}, name + " bias");
  const LayerId layer =
      AddLayer<LayerType::kConvolution>(network, convolution, {input, kernel, bias}, name);
  return AddRelu(network, {layer, 0}, name + " relu");
}

/// As the middle of an image classifier: 3 x 3, then 1 x 1.
void BuildConvolution(INetwork& network) {
  const OutputSlot x = network.AddInputLayer(Describe({1, 16, 28, 28}), "x");
  const OutputSlot wide = AddConvolution(network, x, {32, 16, 3, 3}, "wide");
  network.AddOutputLayer(AddConvolution(network, wide, {32, 32, 1, 1}, "deep"), "y");
}

/// As the end of a classifier, or a part of a transformer.
void BuildProduct(INetwork& network) {
  const OutputSlot x = network.AddInputLayer(Describe({16, 256}), "x");
  const OutputSlot weights = AddWeights(network, {256, 256}, "weights");
  const OutputSlot bias = AddWeights(network, {256}, "bias");
  const LayerId product =
      AddLayer<LayerType::kFullyConnected>(network, {}, {x, weights, bias}, "product");
  network.AddOutputLayer(AddRelu(network, {product, 0}, "relu"), "y");
}

/// What memory and simple arithmetic cost.
void BuildElements(INetwork& network) {
  const OutputSlot x = network.AddInputLayer(Describe({1, 65536}), "x");
  ElementwiseBinaryDescriptor multiply;
  multiply.operation = BinaryOperation::kMul;
  const LayerId square =
      AddLayer<LayerType::kElementwiseBinary>(network, multiply, {x, x}, "square");
  const LayerId sum = AddLayer<LayerType::kElementwiseBinary>(network, {}, {{square, 0}, x}, "sum");
  network.AddOutputLayer(AddRelu(network, {sum, 0}, "relu"), "y");
}

}  // namespace

std::vector<MeasuredNetwork> MakeMeasuredNetworks() {
  constexpr std::pair<const char*, void (*)(INetwork&)> kBuilders[] = {
      {"convolution", BuildConvolution}, {"product", BuildProduct}, {"elements", BuildElements}};
  std::vector<MeasuredNetwork> networks;
  for (const auto& [name, build] : kBuilders) {
    networks.push_back({name, INetwork::Create(name)});
    build(*networks.back().network);
  }
  return networks;
}

}  // namespace backplane::measuring
