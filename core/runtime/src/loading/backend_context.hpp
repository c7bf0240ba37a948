#pragma once

#include <backplane/api/i_backend_context.hpp>
#include <backplane/api/i_backend_internal.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane {

/// What one backend keeps for the life of a runtime.
///
/// Threads: any; the backend's own context is called by one at a time.
class BackendContext {
 public:
  /// Makes the context; a backend may have none.
  /// Errors: DiagnosticException as BackendRegistry::CreateBackend and CollectOptions;
  /// kBackendThrew or kBackendUnavailable.
  BackendContext(const BackendRegistry& registry, const std::string& backend_id,
                 const std::vector<BackendOptions>& options);

  /// Takes a context that was made; it may be empty.
  BackendContext(std::string backend_id, PluginObject<IBackendContext> context);

  const std::string& GetBackendId() const { return backend_id_; }
  bool IsEmpty() const { return !context_; }
  /// As an argument for the backend's own functions. Null when it is empty.
  IBackendContext* GetContext() const { return context_.Share().get(); }

  /// Calls one of the four functions. Must not be empty.
  template <auto kFunction>
  PluginResult<Status> Notify(const NetworkEvent& event) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return context_.Call<kFunction>(event);
  }

 private:
  std::string backend_id_;
  std::mutex mutex_;
  PluginObject<IBackendContext> context_;
};

}  // namespace backplane
