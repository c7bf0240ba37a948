// How long networks of 500 to 20,000 layers take to be optimised and loaded: chains, graphs whose
// layers read one of the last tensors, and graphs whose layers read any tensor before. The least of
// several times of the processor, which other programs disturb little.

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace backplane;

// Of each size of tensors, those that were made, the last one last.
using Tensors = std::vector<OutputSlot>;

// Layers go round several sizes of tensors. `reach` is how far back one reads; 1 makes chains.
std::unique_ptr<INetwork> MakeNetwork(std::uint32_t num_layers, std::uint32_t reach) {
  std::mt19937 random(num_layers);
  auto network = INetwork::Create("random");
  std::vector<Tensors> sizes;
  for (const std::int64_t size : {16, 64, 256, 1024, 192, 4096, 640}) {
    const std::string name = "x" + std::to_string(size);
    sizes.push_back({network->AddInputLayer({{size}, DataType::kFloat32}, name)});
  }
  for (std::uint32_t i = 0; i < num_layers; ++i) {
    Tensors& tensors = sizes[i % sizes.size()];
    const auto count = static_cast<std::uint32_t>(tensors.size());
    const OutputSlot other = tensors[count - 1 - random() % std::min(count, reach)];
    const LayerId layer = AddLayer<LayerType::kElementwiseBinary>(
        *network, ElementwiseBinaryDescriptor(), {tensors.back(), other}, "");
    tensors.push_back({layer, 0});
  }
  for (const Tensors& tensors : sizes) {
    network->AddOutputLayer(tensors.back(), "y" + std::to_string(tensors.back().layer));
  }
  return network;
}

double GetProcessorMilliseconds() {
  return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

struct Times {
  double optimize_ms = 1e9;
  double load_ms = 1e9;
  MemoryReport memory;
};

Times Measure(IRuntime& runtime, const INetwork& network) {
  Times times;
  for (int repeat = 0; repeat < 7; ++repeat) {
    const double start = GetProcessorMilliseconds();
    auto optimized = Optimize(network, {"CpuRef"}, runtime.GetDeviceSpec());
    const double middle = GetProcessorMilliseconds();
    const NetworkId id = runtime.LoadNetwork(std::move(optimized));
    const double end = GetProcessorMilliseconds();
    times.optimize_ms = std::min(times.optimize_ms, middle - start);
    times.load_ms = std::min(times.load_ms, end - middle);
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
