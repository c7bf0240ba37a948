// What networks on two and three backends move in one run: our plan, and the least that is
// possible. Prints a line for each, which compare.py makes a table of. Fails when our plan moves
// more than the least, or the results are not to the bit those of the reference backend alone.

#include "choice_time.hpp"
#include "cuts.hpp"
#include "least_bytes.hpp"
#include "moved_bytes.hpp"
#include "networks.hpp"
#include "placed_network.hpp"
#include "results.hpp"

#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);
#ifdef BENCH_HAS_OPENCL
BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_OpenCl);
#endif

namespace {

using namespace backplane;
using namespace bench;

struct Row {
  const char* network;  // a model, or one that is made here
  std::vector<std::string> backends;
  Cut cut;
  bool computes_alike = true;  // as CpuRef, to the bit
};

constexpr char kInception[] = "inception";
constexpr char kRandom[] = "random";

const std::vector<Row>& GetRows() {
  static const std::vector<Row> rows = {
      {"iris_mlp_11", {"MockLegacy", "CpuRef"}, Cut::kInTurn},
      {"mnist_cnn_8", {"MockDiscrete", "CpuRef"}, Cut::kInTurn},
      {"mnist_cnn_opt8", {"MockExporter", "MockImporter"}, Cut::kInParts},
      {"squeezenet11_fp32_7", {"MockUnifiedA", "MockUnifiedB"}, Cut::kInTurn},
      {"squeezenet11_fp32_7", {"MockDiscrete", "CpuRef"}, Cut::kInParts},
      {"squeezenet11_fp32_7", {"CpuRef", "MockCompressed"}, Cut::kActivations},
      {"squeezenet11_fp32_7", {"MockStrict", "MockParts"}, Cut::kBranches},
      {"squeezenet11_fp32_7", {"MockDiscrete", "MockCompressed", "CpuRef"}, Cut::kInTurn},
      {kInception, {"MockUnifiedA", "MockDiscrete", "MockUnifiedB"}, Cut::kBranches},
      {kRandom, {"MockOwnMemory", "MockParts", "MockAsync"}, Cut::kInTurn},
      {"squeezenet11_fp32_7", {"OpenCl", "CpuRef"}, Cut::kInTurn, false},
      {"squeezenet11_fp32_7", {"MockDiscrete", "OpenCl"}, Cut::kBranches, false},
      {kInception, {"OpenCl", "MockCompressed", "CpuRef"}, Cut::kInTurn, false},
  };
  return rows;
}

struct NamedNetwork {
  std::string name;
  std::unique_ptr<INetwork> network;
};

// A model that cannot be imported is replaced.
NamedNetwork MakeNetwork(const std::string& name, const std::string& models) {
  if (name == kRandom) return {name, MakeRandom(200)};
  auto network = name == kInception ? nullptr : ImportModel(models + "/" + name);
  if (network) return {name, std::move(network)};
  return {kInception, MakeInception(8)};
}

void PrintMoved(const Moved& moved) {
  std::printf("|%llu|%llu", static_cast<unsigned long long>(moved.count),
              static_cast<unsigned long long>(moved.bytes));
}

std::string Join(const std::vector<std::string>& backends) {
  std::string text;
  for (const std::string& id : backends) text += (text.empty() ? "" : ", ") + id;
  return text;
}

Results RunOnReference(IRuntime& runtime, INetwork& network) {
  CutNetwork(network, Cut::kInTurn, {"CpuRef"});
  return RunOnce(runtime, Optimize(network, {"CpuRef"}, runtime.GetDeviceSpec()));
}

// False: more bytes than possible, or other results.
bool Compare(const Row& row, const std::string& models, IRuntime& runtime) {
  const auto [name, network] = MakeNetwork(row.network, models);
  const Results expected = RunOnReference(runtime, *network);
  CutNetwork(*network, row.cut, row.backends);
  const PlacedNetwork placed = PlaceNetwork(*network, row.backends, runtime.GetDeviceSpec());
  const MovedBytes planned = CountPlanned(placed.optimized->GetPlacement());
  const std::uint64_t least = FindLeastBytes(placed);
  const Results results = RunOnce(runtime, placed.optimized);
  const bool is_same = row.computes_alike ? results == expected : AreClose(results, expected);
  std::printf("row|%s|%s|%s|%s", row.network, name.c_str(), Join(row.backends).c_str(),
              GetText(row.cut));
  PrintMoved(planned.between);
  PrintMoved(planned.with_application);
  PrintMoved(planned.layers);
  std::printf("|%llu|%s\n", static_cast<unsigned long long>(least), is_same ? "same" : "differ");
  return is_same && planned.GetSum() == least;
}

std::unique_ptr<IRuntime> MakeRuntime() {
  RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef));
#ifdef BENCH_HAS_OPENCL
  RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_OpenCl));
#endif
  CreationOptions options;
  options.backend_options = {{"OpenCl", {BackendOption("fuse", false)}}};
  options.dynamic_backends_path = BENCH_BACKENDS_FOLDER;
  return IRuntime::Create(options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto runtime = MakeRuntime();
    bool is_least = true;
    const BackendRegistry& registry = runtime->GetDeviceSpec().GetRegistry();
    for (const Row& row : GetRows()) {
      const auto is_there = [&](const auto& id) { return registry.IsBackendRegistered(id); };
      if (!std::all_of(row.backends.begin(), row.backends.end(), is_there)) continue;
      is_least = Compare(row, argc > 1 ? argv[1] : "", *runtime) && is_least;
    }
    PrintChoiceTimes();
    return is_least ? 0 : 1;
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 2;
  }
}
