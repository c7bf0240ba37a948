// How long networks of 500 to 20,000 layers take to be optimised and loaded: chains, graphs whose
// layers read one of the last tensors, and graphs whose layers read any tensor before. The least of
// several times, in milliseconds, and how it grows.

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

namespace {

using namespace backplane;

// How far back a layer reads; 1 makes a chain.
std::unique_ptr<INetwork> MakeNetwork(std::uint32_t num_layers, std::uint32_t reach) {
  std::mt19937 random(num_layers);
  auto network = INetwork::Create("random");
  std::vector<OutputSlot> tensors{network->AddInputLayer({{64, 64}, DataType::kFloat32}, "x")};
  for (std::uint32_t i = 0; i < num_layers; ++i) {
    const auto count = static_cast<std::uint32_t>(tensors.size());
    const OutputSlot other = tensors[count - 1 - random() % std::min(count, reach)];
    const LayerId layer =
        i % 2 == 0
            ? AddLayer<LayerType::kElementwiseBinary>(*network, ElementwiseBinaryDescriptor(),
                                                      {tensors.back(), other}, "")
            : AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {other}, "");
    tensors.push_back({layer, 0});
  }
  network->AddOutputLayer(tensors.back(), "y");
  return network;
}

struct Times {
  double optimize_ms = 1e9;
  double load_ms = 1e9;
  MemoryReport memory;
};

Times Measure(IRuntime& runtime, const INetwork& network) {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  Times times;
  for (int repeat = 0; repeat < 7; ++repeat) {
    const Clock::time_point start = Clock::now();
    auto optimized = Optimize(network, {"CpuRef"}, runtime.GetDeviceSpec());
    const Clock::time_point middle = Clock::now();
    const NetworkId id = runtime.LoadNetwork(std::move(optimized));
    const Clock::time_point end = Clock::now();
    times.optimize_ms = std::min(times.optimize_ms, Milliseconds(middle - start).count());
    times.load_ms = std::min(times.load_ms, Milliseconds(end - middle).count());
    times.memory = runtime.GetMemoryReport(id);
    runtime.UnloadNetwork(id);
  }
  return times;
}

void MeasureSizes(IRuntime& runtime, const char* name, std::uint32_t reach) {
  for (const std::uint32_t num_layers : {500U, 1000U, 2000U, 5000U, 10000U, 20000U}) {
    const Times times = Measure(runtime, *MakeNetwork(num_layers, reach));
    const double each_us = (times.optimize_ms + times.load_ms) * 1000 / num_layers;
    std::printf("%-8s %6u layers: optimise %8.2f ms, load %8.2f ms, %6.2f us each, arena %.3f\n",
                name, num_layers, times.optimize_ms, times.load_ms, each_us,
                static_cast<double>(times.memory.arena_bytes) /
                    static_cast<double>(times.memory.lower_bound_bytes));
  }
}

}  // namespace

int main() {
  CreationOptions options;
  options.dynamic_backends_path = BACKPLANE_BACKENDS_FOLDER;
  const auto runtime = IRuntime::Create(options);
  MeasureSizes(*runtime, "chain", 1);
  MeasureSizes(*runtime, "near", 16);
  MeasureSizes(*runtime, "any", 1000000);
}
