#pragma once

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// One backend for one network: made once by Optimize, and used again when the network is loaded.
struct NetworkBackend {
  std::string id;
  PluginObject<IBackendInternal> backend;
  BackendOptions options;  // of the network for this backend, checked
  PluginObject<const IBackendModelContext> model_context;  // empty when the backend keeps nothing
  bool works_in_place = false;                             // kCapabilityInPlace
};

/// Makes a backend and its model context.
/// Errors: DiagnosticException as BackendRegistry::CreateBackend and CollectOptions; kBackendThrew.
std::shared_ptr<const NetworkBackend> MakeNetworkBackend(const BackendRegistry& registry,
                                                         const std::string& id,
                                                         const ModelOptions& model_options);

}  // namespace backplane
