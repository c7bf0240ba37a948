#include "placement/offer_subgraph.hpp"

#include "graph/graph.hpp"
#include "graph/layer_tensors.hpp"
#include "placement/subgraph_builder.hpp"
#include "placement/subgraph_cache.hpp"
#include "placement/views_check.hpp"

#include <backplane/api/subgraph_view.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/host/logging.hpp>
#include <backplane/host/system_refusal.hpp>
#include <backplane/host/thread_places.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace backplane {
namespace {

/// Shows a backend the layers of one sub-graph.
class SubgraphReader final : public ISubgraphReader {
 public:
  /// Borrows both.
  SubgraphReader(const Graph& graph, const ShownConstants& shown, const SubgraphView& subgraph);

  Status GetLayer(LayerId id, const LayerView** layer) const override;
  Status ShareConstant(LayerId layer, std::uint32_t input,
                       std::shared_ptr<const void>* content) const override;

 private:
  struct Entry {
    Entry(const Graph& graph, const ShownConstants& shown, const Layer& layer);
    LayerTensors tensors;
    LayerView view;
  };

  const Graph& graph_;
  const ShownConstants& shown_;
  std::unordered_map<LayerId, Entry> entries_;
};

SubgraphReader::SubgraphReader(const Graph& graph, const ShownConstants& shown,
                               const SubgraphView& subgraph)
    : graph_(graph), shown_(shown) {
  for (const LayerId id : subgraph.layers) entries_.try_emplace(id, graph, shown, graph.layers[id]);
}

SubgraphReader::Entry::Entry(const Graph& graph, const ShownConstants& shown, const Layer& layer)
    : tensors(graph, shown, layer) {
  view.layer_type = layer.type;
  view.id = layer.id;
  view.name = layer.name.c_str();
  view.descriptor = layer.descriptor.get();
  view.inputs = layer.inputs.data();
  view.input_infos = tensors.GetInputs().data();
  view.constants = tensors.GetConstants().data();
  view.num_inputs = static_cast<std::uint32_t>(tensors.GetInputs().size());
  view.num_outputs = static_cast<std::uint32_t>(tensors.GetOutputs().size());
  view.output_infos = tensors.GetOutputs().data();
}

Status SubgraphReader::GetLayer(LayerId id, const LayerView** layer) const {
  if (layer == nullptr) return Status::kInvalidArgument;
  const auto found = entries_.find(id);
  *layer = found != entries_.end() ? &found->second.view : nullptr;
  return found != entries_.end() ? Status::kSuccess : Status::kNotFound;
}

Status SubgraphReader::ShareConstant(LayerId layer, std::uint32_t input,
                                     std::shared_ptr<const void>* content) const {
  if (content == nullptr) return Status::kInvalidArgument;
  if (entries_.count(layer) == 0) return Status::kNotFound;
  const auto& inputs = graph_.layers[layer].inputs;
  const Layer* constant = input < inputs.size() ? shown_.Find(inputs[input]) : nullptr;
  if (constant == nullptr) return Status::kInvalidArgument;
  *content = constant->constant->data;
  return Status::kSuccess;
}

// More than these of one kind help nobody.
constexpr std::size_t kMaxProblemsTold = 5;

std::string Join(const std::vector<std::string>& problems) {
  std::string text;
  for (std::size_t i = 0; i < problems.size() && i < kMaxProblemsTold; ++i) {
    text += (i == 0 ? "" : "; ") + problems[i];
  }
  if (problems.size() > kMaxProblemsTold) {
    text += "; and " + std::to_string(problems.size() - kMaxProblemsTold) + " more";
  }
  return text;
}

std::string DescribeSubgraph(const Graph& graph, const SubgraphView& subgraph) {
  const std::string first = DescribeLayer(graph.layers[subgraph.layers.front()]);
  if (subgraph.layers.size() == 1) return "the sub-graph of " + first;
  return "the sub-graph of " + std::to_string(subgraph.layers.size()) + " layers from " + first +
         " to " + DescribeLayer(graph.layers[subgraph.layers.back()]);
}

std::string DescribeRefusedLayers(const std::vector<std::string>& refused) {
  return refused.empty() ? "" : "; replacement layers that were refused before: " + Join(refused);
}

Diagnostic DescribeBadAnswer(const std::string& backend_id, const std::string& subgraph,
                             const std::vector<std::string>& problems,
                             const std::vector<std::string>& refused) {
  Diagnostic diagnostic{DiagnosticCode::kInvalidOptimization};
  diagnostic.severity = Severity::kWarning;
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "what backend \"" + backend_id + "\" made of " + subgraph +
                    " cannot be used; it runs layer by layer";
  diagnostic.why = Join(problems) + DescribeRefusedLayers(refused);
  diagnostic.fix = "report this to the vendor of the backend";
  return diagnostic;
}

Diagnostic DescribeThrow(const std::string& backend_id, const std::string& subgraph,
                         const Diagnostic& thrown, const std::vector<std::string>& refused) {
  const bool is_memory = thrown.code == DiagnosticCode::kOutOfMemory;
  Diagnostic diagnostic{is_memory ? thrown.code : DiagnosticCode::kBackendThrew};
  diagnostic.severity = Severity::kWarning;
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "backend \"" + backend_id + "\" " +
                    (is_memory ? "was refused memory" : "threw an exception") +
                    " when it was offered " + subgraph + "; it runs layer by layer";
  diagnostic.why = thrown.why + DescribeRefusedLayers(refused);
  diagnostic.fix = thrown.fix;
  diagnostic.causes = {thrown};
  return diagnostic;
}

}  // namespace

SubgraphAnswer OfferSubgraph(const NetworkBackend& backend, const Graph& graph,
                             const SubgraphBorders& borders, const SubgraphView& subgraph,
                             ConstantReleases& releases,
                             const std::shared_ptr<ICompiledNetworkCache>& compiled, bool is_open,
                             Placement& placement) {
  std::vector<Diagnostic>& warnings = placement.warnings;
  PlacedCacheUse use;
  use.backend_id = backend.id;
  use.num_layers = subgraph.layers.size();
  const SubgraphReader reader(graph, borders.GetShownConstants(), subgraph);
  SubgraphBuilder builder(graph, subgraph, backend.backend.GetOrigin(), releases);
  const auto cache =
      placement::MakeSubgraphCache(graph, subgraph, backend, compiled, use,
                                   [&](const Diagnostic& warning) { warnings.push_back(warning); });
  OptimizeSubgraphArgs args;
  args.subgraph = &subgraph;
  args.reader = &reader;
  args.builder = &builder;
  args.model_context = backend.model_context.Share();
  args.context = backend.GetContext();
  args.options = &backend.options;
  args.logger = backend.backend.GetOrigin()->logger.get();
  args.cache = cache.get();
  args.is_open = is_open;
  WorkLimitScope::TellEnd(args);
  const CallScope scope([&] {
    return "in backend \"" + backend.id + "\", which was offered " +
           DescribeSubgraph(graph, subgraph) + " of network \"" + graph.name + "\"";
  });
  WorkLimitScope::RequireTime();
  const auto begin = std::chrono::steady_clock::now();
  auto result = backend.backend.Call<&IBackendInternal::OptimizeSubgraphView>(args);
  use.offer_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  WorkLimitScope::RequireTime();  // what it made may be half done
  if (!result.is_called) return MakeUntouchedAnswer(backend.id, subgraph);
  if (cache != nullptr) placement.cache_uses.push_back(use);
  // What it does then follows from that.
  if (builder.WasRefusedMemory()) {
    result.failure = std::make_unique<Diagnostic>(
        DescribeOutOfMemory("a layer of the sub-graph could not be replaced"));
  }
  if (result.HasFailed()) {
    if (result.failure->code == DiagnosticCode::kRunTimedOut) result.GetOrThrow();
    Diagnostic warning = DescribeThrow(backend.id, DescribeSubgraph(graph, subgraph),
                                       *result.failure, builder.GetProblems());
    if (HasLostProcess(backend)) throw ProcessLost{backend.id, std::move(warning)};
    warnings.push_back(std::move(warning));
    return MakeUntouchedAnswer(backend.id, subgraph);
  }
  SubgraphAnswer answer{backend.id, subgraph, std::move(result.value), builder.GetLayers()};
  const std::vector<std::string> problems = FindProblems(graph, borders, answer);
  if (problems.empty()) return answer;
  warnings.push_back(DescribeBadAnswer(backend.id, DescribeSubgraph(graph, subgraph), problems,
                                       builder.GetProblems()));
  return MakeUntouchedAnswer(backend.id, subgraph);
}

}  // namespace backplane
