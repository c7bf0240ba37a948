// The same chain with the peer's runtime and its reference backend. Prints microseconds.

#include "timing.hpp"

#include <armnn/ArmNN.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

armnn::INetworkPtr MakeChain(int num_layers, const armnn::TensorInfo& info) {
  armnn::INetworkPtr network = armnn::INetwork::Create();
  armnn::IConnectableLayer* layer = network->AddInputLayer(0, "x");
  layer->GetOutputSlot(0).SetTensorInfo(info);
  armnn::ActivationDescriptor descriptor;
  descriptor.m_Function = armnn::ActivationFunction::ReLu;
  for (int i = 0; i < num_layers; ++i) {
    armnn::IConnectableLayer* next = network->AddActivationLayer(descriptor);
    next->GetOutputSlot(0).SetTensorInfo(info);
    layer->GetOutputSlot(0).Connect(next->GetInputSlot(0));
    layer = next;
  }
  layer->GetOutputSlot(0).Connect(network->AddOutputLayer(0, "y")->GetInputSlot(0));
  return network;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s BACKENDS_DIRECTORY LAYERS ELEMENTS\n", argv[0]);
    return 64;
  }
  const int num_layers = std::atoi(argv[2]);
  const auto num_elements = static_cast<unsigned int>(std::atoi(argv[3]));
  const armnn::TensorInfo info({1, num_elements}, armnn::DataType::Float32);
  armnn::IRuntime::CreationOptions options;
  options.m_DynamicBackendsPath = argv[1];
  const armnn::IRuntimePtr runtime = armnn::IRuntime::Create(options);
  armnn::IOptimizedNetworkPtr optimized = armnn::Optimize(
      *MakeChain(num_layers, info), {armnn::BackendId("CpuRef")}, runtime->GetDeviceSpec());
  if (!optimized) {
    std::fprintf(stderr, "the peer's reference backend is not in %s\n", argv[1]);
    return 2;
  }
  armnn::NetworkId id = 0;
  runtime->LoadNetwork(id, std::move(optimized));
  std::vector<float> input(num_elements, 1.0F);
  std::vector<float> output(num_elements);
  const armnn::InputTensors inputs{{0, armnn::ConstTensor(info, input.data())}};
  const armnn::OutputTensors outputs{{0, armnn::Tensor(info, output.data())}};
  const double took =
      bench::MeasureMicroseconds([&] { runtime->EnqueueWorkload(id, inputs, outputs); });
  std::printf("us %.4f layers %d\n", took, num_layers);
}
