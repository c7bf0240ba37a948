#include "networks.hpp"

#include "support/random_network.hpp"

namespace bench {

using namespace backplane;

namespace {

constexpr std::int64_t kChannels = 8;
constexpr std::int64_t kExtent = 16;

OutputSlot AddActivation(INetwork& network, OutputSlot input, ActivationFunction function,
                         const std::string& name) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  return {AddLayer<LayerType::kActivation>(network, descriptor, {input}, name), 0};
}

OutputSlot AddPooling(INetwork& network, OutputSlot input, const std::string& name) {
  PoolingDescriptor descriptor;
  for (int axis = 0; axis < 2; ++axis) {
    descriptor.kernel[axis] = 3;
    descriptor.pads_begin[axis] = descriptor.pads_end[axis] = 1;
  }
  return {AddLayer<LayerType::kPooling>(network, descriptor, {input}, name), 0};
}

OutputSlot AddConstant(INetwork& network, const TensorShape& shape, const std::string& name) {
  const TensorInfo info(shape, DataType::kFloat32);
  std::vector<float> values(static_cast<std::size_t>(shape.GetNumElements()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i % 7) / 16.0F - 0.125F;
  }
  return network.AddConstantLayer(
      info, CopyConstantData(values.data(), values.size() * sizeof(float)), name);
}

OutputSlot AddBlock(INetwork& network, OutputSlot input, const std::string& name) {
  const OutputSlot first = AddActivation(network, input, ActivationFunction::kRelu, name + "/a");
  const OutputSlot inner = AddActivation(network, input, ActivationFunction::kSigmoid, name + "/b");
  const OutputSlot second = AddActivation(network, inner, ActivationFunction::kTanH, name + "/c");
  const OutputSlot third = AddPooling(network, input, name + "/d");
  ConcatDescriptor along_channels;
  along_channels.axis = 1;
  const OutputSlot all = {
      AddLayer<LayerType::kConcat>(network, along_channels, {first, second, third}, name + "/e"),
      0};
  const OutputSlot weights =
      AddConstant(network, {kChannels, 3 * kChannels, 1, 1}, name + "/weights");
  const OutputSlot bias = AddConstant(network, {kChannels}, name + "/bias");
  return {AddLayer<LayerType::kConvolution>(network, {}, {all, weights, bias}, name + "/f"), 0};
}

}  // namespace

std::unique_ptr<INetwork> MakeInception(std::uint32_t num_blocks) {
  auto network = INetwork::Create("inception");
  OutputSlot tensor =
      network->AddInputLayer({{1, kChannels, kExtent, kExtent}, DataType::kFloat32}, "x");
  for (std::uint32_t block = 0; block < num_blocks; ++block) {
    tensor = AddBlock(*network, tensor, std::to_string(block));
  }
  network->AddOutputLayer(tensor, "y");
  return network;
}

std::unique_ptr<INetwork> MakeRandom(std::uint32_t num_layers) {
  return test::RandomNetwork(1).Make(num_layers);
}

}  // namespace bench
