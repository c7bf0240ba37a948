#pragma once

#include "graph/graph.hpp"
#include "placement/network_backend.hpp"

#include <string>

namespace backplane {

/// Whether a backend gets a layer.
struct LayerAnswer {
  bool is_supported = false;
  std::string reason;         // of a no; never empty then
  bool is_of_backend = true;  // it was asked, and says so itself
};

/// Gets the object that is asked.
/// Null: when the backend gives none; it then gets no layers.
/// Errors: DiagnosticException with kBackendThrew.
PluginObject<const ILayerSupport> GetLayerSupport(const NetworkBackend& backend);

/// Asks about one layer.
/// Errors: DiagnosticException with kBackendThrew.
LayerAnswer AskLayerSupport(const PluginObject<const ILayerSupport>& layer_support,
                            const Graph& graph, const Layer& layer);

}  // namespace backplane
