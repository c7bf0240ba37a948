#pragma once

#include <backplane/host/backend_registry.hpp>
#include <backplane/runtime/i_network.hpp>

#include "options/options.hpp"

#include <string>
#include <vector>

namespace backplane::execute_network {

/// A warning for each pattern that none of the layers matches, of a network whose layers are known
/// only when it has run.
std::vector<Diagnostic> WarnOfUnmatched(const std::vector<LayerBackend>& layer_backends,
                                        const Placement& placement);

/// Whether a layer is one of those that a pattern of --layer-backend names.
bool MatchesPattern(const std::string& pattern, const std::string& name);

/// Gives the layers whose names match their hints.
/// Errors: DiagnosticException as BackendRegistry::GetRegistration for a backend that is not
/// available; kLayerNotFound for patterns that match no layer.
void SetLayerBackends(const std::vector<LayerBackend>& layer_backends,
                      const BackendRegistry& registry, INetwork& network);

}  // namespace backplane::execute_network
