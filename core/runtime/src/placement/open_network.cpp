#include "placement/open_network.hpp"

#include "graph/network.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace backplane {

namespace {

std::vector<bool> FindRead(const Graph& graph) {
  std::vector<bool> is_read(graph.layers.size(), false);
  for (const LayerId id : graph.inputs) is_read[id] = true;
  for (const LayerId id : graph.outputs) is_read[id] = true;
  for (std::size_t id = graph.layers.size(); id-- > 0;) {
    if (!is_read[id]) continue;
    for (const OutputSlot input : graph.layers[id].inputs) is_read[input.layer] = true;
  }
  return is_read;
}

/// The graph without the layers, but for inputs, on which no output depends. `ids`: of layers,
/// which get those that the layers have then; layers that are gone have one that no other has.
Graph DropUnread(Graph graph, std::vector<LayerId>& ids) {
  const std::vector<bool> is_read = FindRead(graph);
  std::vector<LayerId> new_ids(graph.layers.size(), std::numeric_limits<LayerId>::max());
  Graph result;
  result.name = graph.name;
  for (Layer& layer : graph.layers) {
    if (!is_read[layer.id]) continue;
    const auto new_id = static_cast<LayerId>(result.layers.size());
    new_ids[std::exchange(layer.id, new_id)] = new_id;
    for (OutputSlot& input : layer.inputs) input.layer = new_ids[input.layer];
    result.layers.push_back(std::move(layer));
  }
  for (const LayerId id : graph.inputs) result.inputs.push_back(new_ids[id]);
  for (const LayerId id : graph.outputs) result.outputs.push_back(new_ids[id]);
  for (LayerId& id : ids) id = new_ids.at(id);
  return result;
}

}  // namespace

OpenNetwork::OpenNetwork(std::shared_ptr<const INetworkSource> source,
                         std::vector<std::string> preferences, DeviceSpec device,
                         OptimizerOptions options)
    : source_(std::move(source)),
      preferences_(std::move(preferences)),
      device_(std::move(device)),
      options_(std::move(options)) {
  placement_.network = source_->GetName();
  placement_.preferences = preferences_;
  if (preferences_.empty()) placement_.preferred = device_.GetPreferredBackends();
  RequireOutputs(source_->GetName(), 0, source_->GetOutputs().size());
  Graph without_layers;
  without_layers.name = source_->GetName();
  RequireKnownOptions({without_layers, preferences_, options_}, device_);
}

std::shared_ptr<const OptimizedNetwork> OpenNetwork::OptimizeStage(NetworkStage& stage,
                                                                   ExcludedBackends excluded,
                                                                   PlacedExamples& examples,
                                                                   PlacedLike& like) const {
  const std::unique_ptr<INetwork> network = std::move(stage.network);
  RequireKnownExtents(*network, DiagnosticCode::kStageFailed,
                      "a stage of network \"" + source_->GetName() + "\" was not made",
                      "tell whoever made the source of the network");
  Network read(DropUnread(static_cast<Network&>(*network).TakeGraph(), stage.recalculated));
  if (options_.choose_hint) {
    for (const NetworkOperator& layer : read.GetOperators()) {
      const std::string hint = options_.choose_hint(layer);
      if (!hint.empty()) read.SetBackendHint(layer.id, hint);
    }
  }
  // Where backends are left out, layers do not stay where they were.
  PlacedExamples* const used = excluded.empty() ? &examples : nullptr;
  return PlaceGraph({read.GetGraph(), preferences_, options_, used, &like}, device_,
                    std::move(excluded));
}

std::shared_ptr<const OptimizedNetwork> OpenNetwork::OptimizeForeseen(const Graph& graph,
                                                                      PlacedExamples& examples,
                                                                      PlacedLike& like) const {
  return PlaceGraph({graph, preferences_, options_, &examples, &like}, device_);
}

}  // namespace backplane
