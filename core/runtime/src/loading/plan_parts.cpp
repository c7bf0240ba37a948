#include "loading/network_parts.hpp"

#include "graph/tensor_numbers.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/thread_places.hpp>

#include <string>
#include <vector>

namespace backplane {
namespace {

// What the operators allow is looked at later. A factory speaks for its own backend's layers; for
// memory of the core, and of others, the backend does.
std::vector<InPlaceUse> FindInPlaceUses(const OptimizedNetworkParts& parts) {
  const BridgedNetwork& network = parts.network;
  const TensorNumbers numbers(network.graph);
  std::vector<InPlaceUse> uses(network.graph.layers.size(), InPlaceUse::kForbidden);
  for (const Layer& layer : network.graph.layers) {
    const std::uint32_t backend = network.backend_of_layer[layer.id];
    if (network.roles[layer.id] != LayerRole::kStep || backend == kCoreBackend) continue;
    if (layer.outputs.empty()) continue;
    const KindIndex index = network.kind_of_tensor[numbers.Get({layer.id, 0})];
    const TensorKind& kind = parts.kinds.kinds[index];
    const bool is_allowed = kind.owner == backend ? kind.properties.supports_in_place != 0
                                                  : parts.backends[backend]->works_in_place;
    if (is_allowed && IsBound(kind)) uses[layer.id] = InPlaceUse::kAllowed;
  }
  return uses;
}

// Errors: DiagnosticException when the layer has no such tensors, or they differ.
void RequireInPlacePair(const Layer& layer, const Graph& graph, const InPlacePair& pair,
                        const std::string& backend) {
  std::string found;
  if (pair.input >= layer.inputs.size() || pair.output >= layer.outputs.size()) {
    found = "found input " + std::to_string(pair.input) + " and output " +
            std::to_string(pair.output) + "; expected less than " +
            std::to_string(layer.inputs.size()) + " and " + std::to_string(layer.outputs.size());
  } else {
    const TensorInfo& input = GetTensor(graph, layer.inputs[pair.input]);
    const TensorInfo& output = layer.outputs[pair.output];
    if (input.shape == output.shape && input.data_type == output.data_type) return;
    found = "found " + DescribeTensor(input) + " as input " + std::to_string(pair.input) +
            "; expected " + DescribeTensor(output) + ", which output " +
            std::to_string(pair.output) + " is";
  }
  Diagnostic diagnostic{DiagnosticCode::kWorkloadNotCreated};
  diagnostic.subject = {SubjectKind::kBackend, backend};
  diagnostic.what = "backend \"" + backend + "\" says that an output of " + DescribeLayer(layer) +
                    " may lie where an input lies that is another tensor";
  diagnostic.why = std::move(found);
  diagnostic.fix = "update the backend, or tell its vendor";
  throw DiagnosticException(std::move(diagnostic));
}

// The pairs that backends state for compiled sub-graphs.
std::vector<OverwrittenTensor> FindOverwritten(const OptimizedNetworkParts& parts) {
  const Graph& graph = parts.network.graph;
  const TensorNumbers numbers(graph);
  std::vector<OverwrittenTensor> overwritten;
  for (const Layer& layer : graph.layers) {
    if (!layer.pre_compiled) continue;
    const NetworkBackend& backend = *parts.backends[parts.network.backend_of_layer[layer.id]];
    const CallScope scope([&] {
      return "in backend \"" + backend.id + "\", which was asked about " + DescribeLayer(layer) +
             " of network \"" + graph.name + "\"";
    });
    const PluginObject<const IPreCompiledObject> compiled(layer.pre_compiled,
                                                          backend.backend.GetOrigin());
    auto pairs = compiled.Call<&IPreCompiledObject::GetInPlacePairs>();
    for (const InPlacePair& pair : pairs.GetOrThrow()) {
      RequireInPlacePair(layer, graph, pair, backend.id);
      overwritten.push_back(
          {numbers.Get(layer.inputs[pair.input]), numbers.Get({layer.id, pair.output})});
    }
  }
  return overwritten;
}

}  // namespace

ExecutionPlan PlanParts(const OptimizedNetworkParts& parts) {
  ExecutionPlan plan = PlanExecution(parts.network, parts.kinds, FindInPlaceUses(parts));
  PlanInPlace(FindOverwritten(parts), plan.inputs, plan.outputs);
  for (const TensorKind& kind : parts.kinds.kinds) {
    const bool is_managed = kind.arena != 0 && kind.arena != kNoArena;
    if (is_managed) plan.memory.arenas[kind.arena].backend_id = parts.backends[kind.owner]->id;
  }
  return plan;
}

}  // namespace backplane
