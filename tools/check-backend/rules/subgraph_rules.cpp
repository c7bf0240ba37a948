// Whole networks, as a runtime places and runs them.

#include "conformance/build_network.hpp"
#include "harness/guarded_tensor.hpp"
#include "harness/network.hpp"
#include "harness/samples.hpp"
#include "harness/session.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

using conformance::LayerCase;
using conformance::NetworkPlan;
using conformance::Random;

/// What rules of this family share.
struct Networks {
  explicit Networks(Session& session)
      : id(session.GetPlugin().GetId()),
        support(session.GetPlugin().GetSupport()),
        runtime(std::make_unique<TestRuntime>(session, id)) {}

  /// Of layers that the backend takes.
  NetworkPlan MakePlan(Random& random, std::size_t num_layers) const {
    const TensorShape shape = {random.Integer(1, 2), random.Integer(1, 4), random.Integer(2, 6),
                               random.Integer(2, 6)};
    const auto is_supported = [this](const LayerCase& layer) {
      Random unused(1);  // there are no scales to be made
      return AskWhetherSupported(*support, MakeTypedLayer(layer, {}, {}, unused)).is_supported;
    };
    return MakeRandomPlan(random, num_layers, {{shape, shape}, {1, 2, 3, 4}}, is_supported);
  }

  std::shared_ptr<const IOptimizedNetwork> Optimize(const NetworkPlan& plan,
                                                    const OptimizerOptions& options = {}) const {
    return backplane::Optimize(*BuildNetwork(plan), {id}, runtime->Get().GetDeviceSpec(), options);
  }

  std::string id;
  std::shared_ptr<const ILayerSupport> support;
  std::unique_ptr<TestRuntime> runtime;
};

constexpr char kNoPlan[] =
    "the backend supports none of the layers that random networks are made of";

// They add up.
constexpr conformance::Tolerance kErrorsOfLayers = {1e-3L, 1e-3L, 1e-5L};

/// Runs and holds against what the network means.
void ExpectRightNetwork(Session& session, const Networks& networks, NetworkId network,
                        const NetworkPlan& plan, std::uint32_t seed) {
  Random random(seed);
  const auto inputs = MakePlanInputs(plan, random);
  const NetworkRun run = RunLoaded(networks.runtime->Get(), network, ListPlanOutputs(plan), inputs);
  const std::string wrong = FindWrongRun(run, EvaluatePlan(plan, inputs), kErrorsOfLayers);
  session.Expect(wrong.empty(), wrong, "what its layers mean, one after the other");
}

void ExpectNoWarnings(Session& session, const IOptimizedNetwork& optimized) {
  for (const Diagnostic& warning : optimized.GetPlacement().warnings) {
    // What is wrong with its kinds of tensor memory has rules of its own.
    const bool is_of_answer = warning.code == DiagnosticCode::kInvalidOptimization ||
                              warning.code == DiagnosticCode::kBackendThrew ||
                              warning.code == DiagnosticCode::kOutOfMemory ||
                              warning.code == DiagnosticCode::kCompiledEntryRefused;
    if (!is_of_answer) continue;
    session.Report(ToText(warning), "an answer of OptimizeSubgraphView that can be used as it is");
  }
}

/// Calls `use`, which may find that tensors cannot get to the backend or from it: then there is
/// nothing to hold against it.
template <typename Use>
void UnlessUnreachable(const Use& use) {
  try {
    use();
  } catch (const DiagnosticException& exception) {
    if (exception.GetDiagnostic().code != DiagnosticCode::kNoTransfer) throw;
  }
}

/// Calls `use(plan, seed)` for random plans that are not empty, each a case.
template <typename Use>
void ForEachPlan(Session& session, const Networks& networks, std::uint32_t count,
                 const std::string& done, const Use& use) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t seed = session.GetSeed() * 7919 + i;
    Random random(seed);
    const NetworkPlan plan = networks.MakePlan(random, 1 + i % 16);
    if (plan.layers.empty()) continue;
    if (session.Begin(done + " a network of " + DescribePlan(plan))) {
      UnlessUnreachable([&] { use(plan, seed); });
    }
  }
  if (!session.HasCases()) session.Skip(kNoPlan);
}

std::uint32_t CountPlans(const Session& session) {
  return session.IsQuick() ? 40 : 200;
}

/// Every layer with the backend or with CpuRef, by chance.
std::unique_ptr<INetwork> BuildMixed(const NetworkPlan& plan, const std::string& id,
                                     Random& random) {
  auto network = BuildNetwork(plan);
  for (const NetworkOperator& layer : network->GetOperators()) {
    network->SetBackendHint(layer.id, random.Integer(0, 1) == 1 ? id : "CpuRef");
  }
  return network;
}

/// A store that lasts as long as the object.
class MemoryCache : public ICompiledNetworkCache {
 public:
  Status Load(const std::string& key, std::vector<std::uint8_t>& content) override {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return Status::kNotFound;
    content = found->second;
    return Status::kSuccess;
  }
  Status Store(const std::string& key, const std::vector<std::uint8_t>& content) override {
    entries_[key] = content;
    return Status::kSuccess;
  }

 private:
  std::map<std::string, std::vector<std::uint8_t>> entries_;
};

}  // namespace

void CheckNetworksAreRight(Session& session) {
  const Networks networks(session);
  IRuntime& runtime = networks.runtime->Get();
  ForEachPlan(session, networks, CountPlans(session), "runs", [&](const auto& plan, auto seed) {
    const NetworkId network = runtime.LoadNetwork(networks.Optimize(plan));
    ExpectRightNetwork(session, networks, network, plan, seed);
    ExpectRightNetwork(session, networks, network, plan, seed + 1);
    runtime.UnloadNetwork(network);
  });
}

void CheckMixedNetworksAreRight(Session& session) {
  const Networks networks(session);
  if (!networks.runtime->HasReference()) {
    return session.Skip("the backend is CpuRef, with which networks are mixed");
  }
  IRuntime& runtime = networks.runtime->Get();
  const auto done = "runs, half of it on CpuRef,";
  ForEachPlan(session, networks, CountPlans(session), done, [&](const auto& plan, auto seed) {
    Random random(seed);
    const auto mixed = BuildMixed(plan, networks.id, random);
    const auto optimized = Optimize(*mixed, {networks.id, "CpuRef"}, runtime.GetDeviceSpec());
    const NetworkId network = runtime.LoadNetwork(optimized);
    ExpectRightNetwork(session, networks, network, plan, seed);
    runtime.UnloadNetwork(network);
  });
}

void CheckSubgraphAnswersAreUsable(Session& session) {
  const Networks networks(session);
  ForEachPlan(session, networks, CountPlans(session), "offers",
              [&](const auto& plan, auto) { ExpectNoWarnings(session, *networks.Optimize(plan)); });
}

namespace {

/// What became of each sub-graph, in one line.
std::string DescribePlacement(const IOptimizedNetwork& network) {
  return nlohmann::json::parse(SubgraphsToJson(network.GetPlacement())).dump();
}

}  // namespace

void CheckSubgraphAnswersStay(Session& session) {
  const Networks networks(session);
  ForEachPlan(session, networks, CountPlans(session) / 2, "offers twice",
              [&](const auto& plan, auto) {
                const std::string first = DescribePlacement(*networks.Optimize(plan));
                const std::string second = DescribePlacement(*networks.Optimize(plan));
                session.Expect(first == second, first + ", then " + second,
                               "the same plan for the same network");
              });
}

void CheckCompiledNetworksAreRight(Session& session) {
  const Networks networks(session);
  IRuntime& runtime = networks.runtime->Get();
  const auto done = "optimises with a cache of compiled sub-graphs, twice,";
  ForEachPlan(session, networks, CountPlans(session) / 4, done, [&](const auto& plan, auto seed) {
    OptimizerOptions options;
    options.compiled_cache = std::make_shared<MemoryCache>();
    for (int round = 0; round < 2; ++round) {
      const auto optimized = networks.Optimize(plan, options);
      ExpectNoWarnings(session, *optimized);
      const NetworkId network = runtime.LoadNetwork(optimized);
      ExpectRightNetwork(session, networks, network, plan, seed);
      runtime.UnloadNetwork(network);
    }
  });
}

void CheckReleasedConstantsAreNotRead(Session& session) {
  const Networks networks(session);
  IRuntime& runtime = networks.runtime->Get();
  WatchFaults(session.GetRecord());
  const auto done = "takes over";
  ForEachPlan(session, networks, CountPlans(session) / 2, done, [&](const auto& plan, auto seed) {
    // They stay mapped to the end, so that nothing else comes to lie there.
    std::vector<std::unique_ptr<BorrowedBytes>> mapped;
    const auto copy = [&mapped](const void* data, std::size_t size_bytes) {
      mapped.push_back(std::make_unique<BorrowedBytes>(data, size_bytes, "a released constant"));
      BorrowedBytes* bytes = mapped.back().get();
      return std::shared_ptr<const void>(bytes->GetData(),
                                         [bytes](const void*) { bytes->ForbidTouching(); });
    };
    const auto optimized =
        backplane::Optimize(BuildNetwork(plan, copy), {networks.id}, runtime.GetDeviceSpec());
    const NetworkId network = runtime.LoadNetwork(optimized);
    ExpectRightNetwork(session, networks, network, plan, seed);
    runtime.UnloadNetwork(network);
  });
}

void CheckNetworksAreApart(Session& session) {
  const Networks networks(session);
  IRuntime& runtime = networks.runtime->Get();
  std::vector<std::size_t> order = {0, 1, 2};
  std::vector<NetworkPlan> plans;
  for (std::uint32_t i = 0; i < 3; ++i) {
    Random random(session.GetSeed() * 31 + i);
    plans.push_back(networks.MakePlan(random, 8));
    if (plans.back().layers.empty()) return session.Skip(kNoPlan);
  }
  do {
    const std::string text = std::to_string(order[0]) + ", " + std::to_string(order[1]) + ", " +
                             std::to_string(order[2]);
    if (!session.Begin("loads three networks, and unloads them in the order " + text)) continue;
    std::vector<NetworkId> loaded;
    for (const NetworkPlan& plan : plans)
      loaded.push_back(runtime.LoadNetwork(networks.Optimize(plan)));
    for (const std::size_t gone : order) {
      for (std::size_t i = 0; i < plans.size(); ++i) {
        if (loaded[i] != NetworkId{0})
          ExpectRightNetwork(session, networks, loaded[i], plans[i], 5);
      }
      runtime.UnloadNetwork(std::exchange(loaded[gone], NetworkId{0}));
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

void CheckRuntimesAreApart(Session& session) {
  Random random(session.GetSeed());
  const Networks first(session);
  const NetworkPlan plan = first.MakePlan(random, 8);
  if (plan.layers.empty()) return session.Skip(kNoPlan);
  for (const bool is_first_gone : {true, false}) {
    if (!session.Begin(std::string("makes two runtimes, and destroys the ") +
                       (is_first_gone ? "first" : "second") + " of them")) {
      continue;
    }
    auto one = std::make_unique<Networks>(session);
    auto two = std::make_unique<Networks>(session);
    const NetworkId in_one = one->runtime->Get().LoadNetwork(one->Optimize(plan));
    const NetworkId in_two = two->runtime->Get().LoadNetwork(two->Optimize(plan));
    ExpectRightNetwork(session, *one, in_one, plan, 3);
    ExpectRightNetwork(session, *two, in_two, plan, 4);
    (is_first_gone ? one : two).reset();
    ExpectRightNetwork(session, is_first_gone ? *two : *one, is_first_gone ? in_two : in_one, plan,
                       5);
  }
}

void CheckNetworksLoadWhileOthersRun(Session& session) {
  const Networks networks(session);
  IRuntime& runtime = networks.runtime->Get();
  Random random(session.GetSeed());
  const NetworkPlan plan = networks.MakePlan(random, 8);
  if (plan.layers.empty()) return session.Skip(kNoPlan);
  if (!session.Begin("runs a network while others are loaded, run and unloaded")) return;
  const NetworkId running = runtime.LoadNetwork(networks.Optimize(plan));
  const auto inputs = MakePlanInputs(plan, random);
  const auto expected = EvaluatePlan(plan, inputs);
  std::atomic<bool> has_ended{false};
  std::string wrong;
  std::thread runner([&] {
    while (!has_ended.load() && wrong.empty()) {
      wrong = FindWrongRun(RunLoaded(runtime, running, ListPlanOutputs(plan), inputs), expected,
                           kErrorsOfLayers);
    }
  });
  for (int round = 0; round < (session.IsQuick() ? 10 : 50); ++round) {
    const NetworkId other = runtime.LoadNetwork(networks.Optimize(plan));
    ExpectRightNetwork(session, networks, other, plan, 9);
    runtime.UnloadNetwork(other);
  }
  has_ended.store(true);
  runner.join();
  session.Expect(wrong.empty(), wrong, "right results, whatever else is loaded");
}

}  // namespace backplane::check_backend
