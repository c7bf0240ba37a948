#include "compiling_backend.hpp"
#include "support/random_network.hpp"
#include "support/run_network.hpp"
#include "support/temporary_directory.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);

namespace backplane {
namespace {

using Ids = std::vector<std::string>;

// A choice that depends on nothing but its arguments.
std::uint32_t Choose(const std::string& text, std::uint32_t seed, std::uint32_t end) {
  std::uint32_t hash = 2166136261U ^ seed * 16777619U;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  return (hash >> 8U) % end;
}

CompilingBackend MakeBackend(const std::string& id, std::uint32_t seed) {
  CompilingBackend backend;
  backend.id = id;
  backend.inner = BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef);
  backend.takes = [=](const std::string& layer) { return Choose(id + layer, seed, 3) != 0; };
  backend.treats = [=](const std::string& layer) {
    const std::uint32_t choice = Choose(id + " treats " + layer, seed, 8);
    if (choice == 0) return Treatment::kFail;
    return choice < 3 ? Treatment::kLeave : Treatment::kCompile;
  };
  return backend;
}

// A runtime of the reference backend, and of others.
std::unique_ptr<IRuntime> MakeRuntime(const std::vector<CompilingBackend>& backends) {
  const test::TemporaryDirectory empty;
  BackendRegistry& registry = BackendRegistry::GetProcessRegistry();
  RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef));
  for (const CompilingBackend& backend : backends) registry.Register(MakeRegistration(backend));
  CreationOptions options;
  options.dynamic_backends_path = empty.GetPath();
  std::unique_ptr<IRuntime> runtime = IRuntime::Create(options);
  for (const std::string& id : registry.GetBackendIds()) registry.Deregister(id);
  return runtime;
}

bool AreEqualBits(const test::Outputs& a, const test::Outputs& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
  });
}

// How often each outcome came up over all seeds, so that none is left out unseen.
using Counts = std::map<SubgraphOutcome, int>;

void CheckCover(const Placement& placement, Counts& counts) {
  std::map<LayerId, SubgraphOutcome> last;
  for (const PlacedSubgraph& part : placement.subgraphs) {
    ++counts[part.outcome];
    for (const LayerId layer : part.layers) {
      // Only layers that were left as they are, or that failed, may be offered again.
      const auto before = last.find(layer);
      EXPECT_TRUE(before == last.end() || before->second == SubgraphOutcome::kUntouched ||
                  before->second == SubgraphOutcome::kFailed);
      last[layer] = part.outcome;
    }
  }
  EXPECT_EQ(last.size(), placement.layers.size()) << "every layer is offered";
  for (const auto& [layer, outcome] : last) EXPECT_NE(outcome, SubgraphOutcome::kFailed) << layer;
  for (const Diagnostic& warning : placement.warnings) ADD_FAILURE() << ToText(warning);
}

TEST(OptimizedNetworks, AtRandomGiveTheResultsOfTheReferenceBackendAlone) {
  Counts counts;
  std::uint32_t num_turns = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const std::unique_ptr<IRuntime> runtime =
        MakeRuntime({MakeBackend("P", seed), MakeBackend("Q", seed)});
    const auto network = test::RandomNetwork(seed).Make(1 + seed % 50);
    const Ids all{"P", "Q", "CpuRef"};
    const auto reference = Optimize(*network, {"CpuRef"}, runtime->GetDeviceSpec());
    const auto optimized = Optimize(*network, all, runtime->GetDeviceSpec());
    CheckCover(optimized->GetPlacement(), counts);
    for (const PlacedSubgraph& part : optimized->GetPlacement().subgraphs) {
      num_turns = std::max(num_turns, part.turn);
    }
    EXPECT_TRUE(
        AreEqualBits(test::Compute(*runtime, optimized), test::Compute(*runtime, reference)))
        << "seed " << seed << "\n"
        << ToText(optimized->GetPlacement());
    EXPECT_EQ(ToText(Optimize(*network, all, runtime->GetDeviceSpec())->GetPlacement()),
              ToText(optimized->GetPlacement()));
  }
  EXPECT_GT(counts[SubgraphOutcome::kReplaced], 100);
  EXPECT_GT(counts[SubgraphOutcome::kUntouched], 100);
  EXPECT_GT(counts[SubgraphOutcome::kFailed], 100);
  EXPECT_GT(num_turns, 2U);
}

/// Loads a network that a backend compiles as a whole, with a pair that it states. Gives the reason
/// of the refusal; "": it is loaded.
std::string LoadWithPair(const InPlacePair& pair) {
  CompilingBackend backend = MakeBackend("P", 0);
  backend.takes = [](const std::string& /*layer*/) { return true; };
  backend.treats = [](const std::string& /*layer*/) { return Treatment::kCompile; };
  backend.in_place = {pair};
  const std::unique_ptr<IRuntime> runtime = MakeRuntime({backend});
  const auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer({{4}, DataType::kFloat32}, "x");
  const OutputSlot y{AddLayer<LayerType::kActivation>(*network, {}, {x}, "relu"), 0};
  const OutputSlot z{AddLayer<LayerType::kConcat>(*network, {}, {y, y}, "joined"), 0};
  network->AddOutputLayer(y, "y");
  network->AddOutputLayer(z, "z");
  try {
    runtime->UnloadNetwork(
        runtime->LoadNetwork(Optimize(*network, {"P"}, runtime->GetDeviceSpec())));
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kWorkloadNotCreated);
    EXPECT_EQ(exception.GetDiagnostic().subject.name, "P");
    return exception.GetDiagnostic().why;
  }
  return "";
}

TEST(OptimizedNetworks, AreRefusedWhenABackendNamesOtherTensorsAsInPlace) {
  EXPECT_EQ(LoadWithPair({0, 0}), "");
  EXPECT_EQ(LoadWithPair({0, 2}), "found input 0 and output 2; expected less than 1 and 2");
  EXPECT_EQ(LoadWithPair({1, 0}), "found input 1 and output 0; expected less than 1 and 2");
  EXPECT_EQ(LoadWithPair({0, 1}),
            "found float32 [4] as input 0; expected float32 [8], which output 1 is");
}

}  // namespace
}  // namespace backplane
