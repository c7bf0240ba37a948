#pragma once

#include "placement/backend_context.hpp"
#include "placement/backend_costs.hpp"

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/host/plugin_object.hpp>
#include <backplane/runtime/optimize.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// One backend for one network: made once by Optimize, and used again when the network is loaded.
struct NetworkBackend {
  /// Of the runtime. Null when the backend keeps none, or there is no runtime.
  IBackendContext* GetContext() const { return context ? context->GetContext() : nullptr; }

  // In reverse order of destruction.
  std::shared_ptr<BackendContext> context;  // of the runtime; null when there is no runtime
  std::string id;
  PluginObject<IBackendInternal> backend;
  std::uint32_t process_number = 0;  // in which what it makes is; 0: in this one
  BackendOptions options;            // of the network for this backend, checked
  PluginObject<const IBackendModelContext> model_context;  // empty when the backend keeps nothing
  bool works_in_place = false;                             // kCapabilityInPlace
  FenceKindFlags awaited_fences = 0;                       // kCapabilityFences
  BackendCosts costs;
};

/// Whether the process has ended in which a backend made something for the network.
bool HasLostProcess(const NetworkBackend& backend);

/// Makes a backend and its model context. Its context in the runtime is made too, when the file is
/// opened now.
/// Errors: DiagnosticException as BackendRegistry::CreateBackend, MakeBackendContext and
/// CollectOptions; kBackendThrew; what IsolatedProcess::Start gives.
std::shared_ptr<const NetworkBackend> MakeNetworkBackend(const DeviceSpec& device,
                                                         const std::string& id,
                                                         const ModelOptions& model_options);

}  // namespace backplane
