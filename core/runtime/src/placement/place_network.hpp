#pragma once

#include "placement/assign_layers.hpp"
#include "placement/backend_pool.hpp"
#include "placement/placed_graph.hpp"

#include <backplane/runtime/optimize.hpp>

namespace backplane {

/// A network with a backend for each layer, and how that came about.
struct PlacedNetwork {
  Placement placement;
  PlacedGraph placed;
};

/// Assigns the layers of a network, has the backends optimise their parts, and assigns again what
/// they fail. Fills `placed.placed`, and all of `placed.placement` but the network's name and the
/// preferences. Constants that backends let go of go from `graph`, too, where they may. `is_open`:
/// the graph comes again with other extents.
/// Null: without `recorder`, nothing is measured.
/// Errors: DiagnosticException with kLayerNotSupported, kHintRefused, kConstantReleased, or as
/// BackendPool::Ask; ProcessLost.
void PlaceOnBackends(const Graph& graph, AssignmentOrder order, BackendPool& pool,
                     const OptimizerOptions& options, bool is_open, profiling::Recorder* recorder,
                     PlacedNetwork& placed);

}  // namespace backplane
