#pragma once

#include <backplane/host/backend_registry.hpp>

#include <optional>

namespace backplane::creation {

/// What came of making a backend once.
struct Trial {
  BackendCapabilities capabilities;
  PluginObject<IBackendContext> context;  // empty when the backend keeps nothing
  std::optional<Diagnostic> failure;      // kBackendUnavailable when it cannot work here
};

/// Makes a backend, checks that both of its ids agree, and makes its context.
/// Null: without options no context is made.
Trial TryBackend(const BackendRegistration& registration, const BackendOptions* options);

}  // namespace backplane::creation
