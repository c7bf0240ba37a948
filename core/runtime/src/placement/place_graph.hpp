#pragma once

#include "placement/assign_layers.hpp"
#include "placement/optimized_network.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

class PlacedExamples;
struct PlacedLike;

/// What is asked for. Borrows all.
struct PlacementRequest {
  const Graph& graph;
  const std::vector<std::string>& preferences;
  const OptimizerOptions& options;
  PlacedExamples* examples = nullptr;  // null: the graph does not come again with other extents
  PlacedLike* like = nullptr;          // as PlacedExamples::PlaceLikeOne has it; null as `examples`
};

/// Backends that get no layer, each with the reason, which is its refusal of every layer.
using ExcludedBackends = std::map<std::string, std::string>;

/// As Optimize. With excluded backends, others that fail when they are asked have refused, named or
/// not: what counts is that the network runs. A network that was placed so is not placed elsewhere
/// again.
std::shared_ptr<OptimizedNetwork> PlaceGraph(const PlacementRequest& request,
                                             const DeviceSpec& device,
                                             ExcludedBackends excluded = {},
                                             LayerByLayer layer_by_layer = {});

/// Places a network again, as it was placed before, when the process of a backend has ended. When a
/// layer has another backend now, a warning is logged and in the placement (kPlacedOtherwise).
/// Errors: as PlaceGraph.
std::shared_ptr<const OptimizedNetwork> PlaceAgain(const OptimizedNetwork& before,
                                                   ExcludedBackends excluded);

/// Checks what does not depend on layers: that preferences and the backends of options are
/// available, and that the options are those that they declare.
/// Errors: as Optimize.
void RequireKnownOptions(const PlacementRequest& request, const DeviceSpec& device);

/// Errors: DiagnosticException with kNoOutputs. `num_layers` is for the message.
void RequireOutputs(const std::string& network, std::size_t num_layers, std::size_t num_outputs);

}  // namespace backplane
