#include "choice_time.hpp"

#include "graph/network.hpp"
#include "kind_maker.hpp"
#include "networks.hpp"
#include "placement/bridge_network.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>

namespace bench {

using namespace backplane;

namespace {

constexpr std::uint32_t kNumBackends = 3;
constexpr int kRepeats = 9;

FactoryProperties CopyingWithin(FactoryProperties properties) {
  properties.copies_within_backend = 1;
  return properties;
}

// Fast memory that nobody else reaches, a layout of its own, memory that others import, and such as
// imports theirs; of each backend by way of another source.
void AddKinds(KindMaker& kinds, std::uint32_t backend) {
  constexpr MemorySource kSources[] = {MemorySource::kMalloc, MemorySource::kDmaBuf,
                                       MemorySource::kFileDescriptor};
  const std::string id = "Bench/B" + std::to_string(backend) + "/";
  FactoryProperties shown = Exporting(kSources[backend]);
  shown.supports_map_unmap = 1;
  FactoryProperties importing = Importing(kSources[(backend + 1) % kNumBackends]);
  importing.supports_map_unmap = 1;
  kinds.Prefer(backend, {kinds.Add(backend, id + "Fast", CopyingWithin(FactoryProperties())),
                         kinds.Add(backend, id + "Packed", CopyingWithin(Opaque())),
                         kinds.Add(backend, id + "Shown", CopyingWithin(shown)),
                         kinds.Add(backend, id + "Window", CopyingWithin(importing))});
}

std::vector<std::uint32_t> PlaceAtRandom(const Graph& graph) {
  std::mt19937 random(2);
  std::vector<std::uint32_t> backends(graph.layers.size(), kCoreBackend);
  for (const Layer& layer : graph.layers) {
    const auto backend = static_cast<std::uint32_t>(random() % kNumBackends);
    if (IsOperator(layer)) backends[layer.id] = backend;
  }
  return backends;
}

double GetProcessorMilliseconds() {
  return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

void PrintTime(const char* name, const INetwork& network, const KindMaker& kinds) {
  const Graph& graph = static_cast<const Network&>(network).GetGraph();
  const std::vector<std::uint32_t> backends = PlaceAtRandom(graph);
  double least = 1e9;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    std::vector<PlacedMove> moves;
    const double start = GetProcessorMilliseconds();
    BridgeAndJoin(graph, backends, kinds.Get(), MemoryProtection::kNone, kinds.GetBackendIds(),
                  moves);
    least = std::min(least, GetProcessorMilliseconds() - start);
  }
  const std::size_t num_layers = network.GetNumOperators();
  std::printf("time|%s|%zu|%.2f|%.2f\n", name, num_layers, least,
              least * 1000 / static_cast<double>(num_layers));
}

}  // namespace

void PrintChoiceTimes() {
  constexpr std::uint32_t kNumLayers = 5000;
  constexpr std::uint32_t kLayersInBlock = 6;
  KindMaker kinds;
  for (std::uint32_t i = 0; i < kNumBackends; ++i) {
    AddKinds(kinds, kinds.AddBackend("B" + std::to_string(i)));
  }
  PrintTime("random", *MakeRandom(kNumLayers), kinds);
  PrintTime("inception", *MakeInception(kNumLayers / kLayersInBlock), kinds);
}

}  // namespace bench
