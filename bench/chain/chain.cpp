// Runs a chain of ReLU layers, from one or several threads at once, without bounds, with a deadline
// or a token that end nothing, or with crash notes. Prints microseconds for each inference, as one
// thread sees it.

#include "bench_runtime.hpp"
#include "timing.hpp"

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/optimize.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
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

enum class Bounds { kNone, kDeadline, kToken };

Bounds ReadBounds(const char* text) {
  if (std::strcmp(text, "deadline") == 0) return Bounds::kDeadline;
  return std::strcmp(text, "token") == 0 ? Bounds::kToken : Bounds::kNone;
}

Status Run(IRuntime& runtime, NetworkId id, const InputTensors& inputs,
           const OutputTensors& outputs, Bounds bounds, const CancellationSource& source) {
  if (bounds == Bounds::kNone) return runtime.EnqueueWorkload(id, inputs, outputs);
  RunOptions options;
  if (bounds == Bounds::kDeadline) {
    options.timeout = std::chrono::seconds(10);
  } else {
    options.cancellation = source.GetToken();
  }
  return runtime.EnqueueWorkload(id, inputs, outputs, options);
}

double MeasureRuns(IRuntime& runtime, NetworkId id, const TensorInfo& info, Bounds bounds) {
  const CancellationSource source;
  const std::vector<float> input(static_cast<std::size_t>(info.shape.GetNumElements()), 1.0F);
  std::vector<float> output(input.size());
  const InputTensors inputs{{0, {info, input.data()}}};
  const OutputTensors outputs{{0, output.data(), output.size() * sizeof(float)}};
  return bench::MeasureMicroseconds([&] {
    if (Run(runtime, id, inputs, outputs, bounds, source) != Status::kSuccess) std::abort();
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc == 6 || argc > 7) {
    std::fprintf(stderr,
                 "usage: %s LAYERS ELEMENTS THREADS [none|deadline|token|notes [DIRECTORY ID]]\n",
                 argv[0]);
    return 64;
  }
  const int num_layers = std::atoi(argv[1]);
  const TensorInfo info({1, std::atoi(argv[2])}, DataType::kFloat32);
  CreationOptions options;
  if (argc > 4 && std::strcmp(argv[4], "notes") == 0) options.crash_notes = CrashNotes();
  if (argc == 7) options.dynamic_backends_path = argv[5];
  const std::string backend = argc == 7 ? argv[6] : "CpuRef";
  const auto runtime = bench::MakeRuntime(options);
  const auto network = MakeChain(num_layers, info);
  const NetworkId id =
      runtime->LoadNetwork(Optimize(*network, {backend}, runtime->GetDeviceSpec()));
  const Bounds bounds = argc > 4 ? ReadBounds(argv[4]) : Bounds::kNone;
  std::vector<double> times(static_cast<std::size_t>(std::atoi(argv[3])));
  std::vector<std::thread> threads;
  for (double& time : times) {
    threads.emplace_back([&] { time = MeasureRuns(*runtime, id, info, bounds); });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("us %.4f layers %d\n", *std::max_element(times.begin(), times.end()), num_layers);
}
