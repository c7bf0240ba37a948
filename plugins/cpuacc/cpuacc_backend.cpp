#include "context/backend_context.hpp"
#include "cpu_layers/refusal.hpp"
#include "cpu_layers/tensor_handle_factory.hpp"
#include "decisions/kept_decisions.hpp"
#include "graph/build_graph.hpp"
#include "kernels/kernel_table.hpp"
#include "layout/blocked_tensors.hpp"
#include "library/library.hpp"
#include "options/options.hpp"
#include "passes/passes.hpp"
#include "profiling/timeline.hpp"
#include "subgraphs/compiled_subgraph.hpp"
#include "winograd/winograd.hpp"
#include "workload_factory.hpp"

#include <backplane/api/backend.hpp>
#include <backplane/api/subgraph_parts.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

constexpr char kId[] = "CpuAcc";
constexpr char kPlainFactoryId[] = "Backplane/CpuAcc/Malloc";

/// Ahead of backends that say nothing, behind accelerators.
constexpr int kRank = 100;

/// Answers what the kernels answer.
class LayerSupport : public ILayerSupport {
 public:
  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    std::string refusal = FindRefusal(MakeLayer(query));
    if (refusal.empty()) return true;
    reason = std::move(refusal);
    return false;
  }
};

/// Whether to know what was found out earlier saves more than it takes: the key of what the host
/// keeps is a digest of all constants. Else the log says why.
bool SavesTime(const Graph& graph, const Options& options, ILogger& logger) {
  constexpr double kSecondsOfTrial = 0.012;
  constexpr double kSecondsOfDigestedByte = 1e-9;
  if (options.winograd != Winograd::kAuto) return false;
  const std::size_t num_trials = CountTrials(graph, CountThreads(options));
  std::uint64_t constant_bytes = 0;
  for (const GraphTensor& tensor : graph.tensors) {
    if (tensor.IsConstant()) constant_bytes += tensor.info.GetSizeBytes();
  }
  if (static_cast<double>(num_trials) * kSecondsOfTrial >
      static_cast<double>(constant_bytes) * kSecondsOfDigestedByte) {
    return true;
  }
  const std::string text = cpu_layers::Text(
      "the compiled cache is not used: it would save ", num_trials,
      " trials of 12 ms, and its key is a digest of ", constant_bytes, " bytes, at 1 ns each");
  static_cast<void>(logger.Log(LogLevel::kInfo, text.c_str()));
  return false;
}

/// Errors: as ReadOptions and FindPasses.
void CheckOptions(const BackendOptions& options) {
  static_cast<void>(FindPasses(ReadOptions(options).without_passes));
}

/// With the log level debug, the log says which passes have changed the graph.
void RunPassesLogged(Graph& graph, ILogger& logger, const cpu_layers::RunEnd& end) {
  if (!logger.IsEnabled(LogLevel::kDebug)) return RunPasses(graph, end);
  std::string changed;
  RunPasses(graph, end, [&](const char* pass) { changed += std::string(" ") + pass; });
  static_cast<void>(logger.Log(LogLevel::kDebug, ("passes that changed it:" + changed).c_str()));
}

class CpuAccBackend : public IBackendInternal {
 public:
  const char* GetId() const override { return kId; }

  /// Here the host learns when the backend cannot work on this machine.
  std::unique_ptr<IBackendContext> CreateBackendContext(
      const BackendContextArgs& args) const override {
    RequireLibrary();
    try {
      CheckOptions(*args.options);
    } catch (const std::invalid_argument& error) {
      throw BackendUnavailableException(error.what());
    }
    return std::make_unique<BackendContext>();
  }

  /// Here it learns of options of a network that cannot be followed.
  std::shared_ptr<const IBackendModelContext> CreateBackendSpecificModelContext(
      const ModelContextArgs& args) const override {
    CheckOptions(*args.options);
    return nullptr;
  }

  std::unique_ptr<IBackendProfilingContext> CreateBackendProfilingContext(
      const ProfilingContextArgs& args) const override {
    return std::make_unique<cpu_layers::TimelineContext>(args.profiling, GetTimeline(args.context));
  }

  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& args) const override {
    RequireLibrary();
    Options options = ReadOptions(*args.options);
    auto threads = GetThreads(args.context, options.processors);
    return std::make_unique<WorkloadFactory>(std::move(options), GetTimeline(args.context),
                                             std::move(threads), GetArenas(args.context));
  }

  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    RequireLibrary();
    return std::make_shared<LayerSupport>();
  }

  OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const override {
    RequireLibrary();
    const RunEnd end(args);
    OptimizationViews views;
    const SubgraphView part = MakeSubgraphPart(args, args.subgraph->layers);
    const Options options = ReadOptions(*args.options);
    const std::shared_ptr<PackedTable> table = GetPackedTable(args.context);
    OfferedConstants constants(args, [&](const auto& content, const ConstTensor& constant) {
      table->NoteIdentity(content, {constant.identity[0], constant.identity[1]});
    });
    Graph graph = BuildGraph(args, part, constants);
    graph.left_out_passes = FindPasses(options.without_passes);
    const bool uses_cache = args.cache != nullptr && SavesTime(graph, options, *args.logger);
    ICompiledSubgraphCache* const cache = uses_cache ? args.cache : nullptr;
    KeptDecisions decisions(GetDecisions(), cache, options.cache_directory, *args.logger);
    if (args.is_open) graph.folded = GetFoldedNodes(args.context, table);
    auto source = args.is_open ? std::make_shared<ResizableGraph>(graph, part.layers) : nullptr;
    RunPassesLogged(graph, *args.logger, end);
    auto compiled = std::make_shared<CompiledSubgraph>(
        std::move(graph), options, *GetThreads(args.context, options.processors),
        std::make_shared<PackedConstants>(table, args.is_open ? constants.GetRelease() : nullptr),
        std::move(source), end);
    decisions.Store();
    if (ReplaceByPreCompiled(args, part, std::move(compiled), "CpuAcc", &views) !=
        Status::kSuccess) {
      views.untouched.push_back(*args.subgraph);
    }
    return views;
  }

  void RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                     const BackendCallArgs& /*args*/) const override {
    RequireLibrary();
    static_cast<void>(registry.RegisterFactory(std::make_unique<BlockedTensorHandleFactory>()));
    static_cast<void>(registry.RegisterFactory(std::make_unique<cpu_layers::TensorHandleFactory>(
        kPlainFactoryId, cpu_layers::BackendCopies::kPossible)));
  }

  /// Between its own parts blocks; nobody else can read them.
  std::vector<std::string> GetHandleFactoryPreferences(
      const BackendCallArgs& /*args*/) const override {
    return {kBlockedFactoryId, kPlainFactoryId, kHostTensorHandleFactoryId};
  }

  BackendCapabilities GetCapabilities() const override {
    return {{kCapabilityRank, kRank}, {kCapabilityStop, true}};
  }

  std::vector<OptionSchema> GetOptionSchemas() const override { return GetSchemas(); }
};

}  // namespace
}  // namespace cpuacc
}  // namespace backplane

BACKPLANE_BACKEND(backplane::cpuacc::CpuAccBackend, backplane::cpuacc::kId);
