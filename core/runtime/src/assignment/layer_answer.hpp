#pragma once

#include "assignment/network_backend.hpp"
#include "network/graph.hpp"

#include <backplane/api/backend_version.hpp>
#include <backplane/api/layer_type.hpp>

#include <optional>
#include <string>

namespace backplane {

/// What a backend says to a layer.
struct LayerAnswer {
  bool is_supported = false;
  std::string reason;  // of a no; never empty then
};

/// Why the host answers itself that a backend cannot run an operator: it is newer than the backend.
/// Null: the backend knows the operator.
std::optional<std::string> RefuseNewerOperator(const LayerTypeInfo& type, BackendVersion declared);

/// Gets the object that is asked.
/// Null: when the backend gives none; it then gets no layers.
/// Errors: DiagnosticException with kBackendThrew.
PluginObject<const ILayerSupport> GetLayerSupport(const NetworkBackend& backend);

/// Asks about one layer.
/// Errors: DiagnosticException with kBackendThrew.
LayerAnswer AskLayerSupport(const PluginObject<const ILayerSupport>& layer_support,
                            const Graph& graph, const Layer& layer);

}  // namespace backplane
