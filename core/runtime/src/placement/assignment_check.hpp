#pragma once

#include "graph/graph.hpp"

#include <backplane/runtime/optimize.hpp>
#include <backplane/runtime/placement.hpp>

#include <string>
#include <vector>

namespace backplane {

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
