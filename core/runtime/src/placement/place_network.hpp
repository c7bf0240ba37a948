#pragma once

#include "graph/graph.hpp"
#include "placement/assign_layers.hpp"
#include "placement/backend_pool.hpp"
#include "placement/placed_graph.hpp"

#include <backplane/runtime/optimize.hpp>
#include <backplane/runtime/placement.hpp>

#include <string>
#include <vector>

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

/// Checks that every layer was taken.
/// Errors: DiagnosticException with kLayerNotSupported; the causes name all layers that nobody
/// takes, those of one type that are refused with the same words together, and have the refusals as
/// causes.
void RequireAllTaken(const Graph& graph, const std::vector<LayerPlacement>& layers,
                     const std::vector<std::string>& asked);

/// Checks that every hint was followed.
/// Errors: DiagnosticException with kHintRefused; the causes are the refusals of hinted backends.
void RequireHintsFollowed(const Graph& graph, const std::vector<LayerPlacement>& layers);

}  // namespace backplane
