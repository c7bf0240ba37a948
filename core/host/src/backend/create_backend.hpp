#pragma once

#include <backplane/host/backend_registry.hpp>

namespace backplane::backend {

/// Calls the factory of a registration behind the exception barrier.
/// Opens the file of a late one first.
/// Errors: DiagnosticException with kFailedAtFirstUse, kBackendThrew, kBackendUnavailable or
/// kNullBackend.
PluginObject<IBackendInternal> CreateBackend(const BackendRegistration& registration);

}  // namespace backplane::backend
