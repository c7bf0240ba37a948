// Runs a chain of ReLU layers, from one or several threads at once. Prints microseconds for each
// inference, as one thread sees it.

#include "bench_runtime.hpp"
#include "timing.hpp"

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/optimize.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

using namespace backplane;

std::unique_ptr<INetwork> MakeChain(int num_layers, const TensorInfo& info) {
  auto network = INetwork::Create("chain");
  OutputSlot tensor = network->AddInputLayer(info, "x");
  for (int layer = 0; layer < num_layers; ++layer) {
    tensor = {AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {tensor}, ""), 0};
  }
  network->AddOutputLayer(tensor, "y");
  return network;
}

double MeasureRuns(IRuntime& runtime, NetworkId id, const TensorInfo& info) {
  const std::vector<float> input(static_cast<std::size_t>(info.shape.GetNumElements()), 1.0F);
  std::vector<float> output(input.size());
  const InputTensors inputs{{0, {info, input.data()}}};
  const OutputTensors outputs{{0, output.data(), output.size() * sizeof(float)}};
  return bench::MeasureMicroseconds([&] {
    if (runtime.EnqueueWorkload(id, inputs, outputs) != Status::kSuccess) std::abort();
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s LAYERS ELEMENTS THREADS\n", argv[0]);
    return 64;
  }
  const int num_layers = std::atoi(argv[1]);
  const TensorInfo info({1, std::atoi(argv[2])}, DataType::kFloat32);
  const auto runtime = bench::MakeRuntime();
  const auto network = MakeChain(num_layers, info);
  const NetworkId id =
      runtime->LoadNetwork(Optimize(*network, {"CpuRef"}, runtime->GetDeviceSpec()));
  std::vector<double> times(static_cast<std::size_t>(std::atoi(argv[3])));
  std::vector<std::thread> threads;
  for (double& time : times) {
    threads.emplace_back([&] { time = MeasureRuns(*runtime, id, info); });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("us %.4f layers %d\n", *std::max_element(times.begin(), times.end()), num_layers);
}
