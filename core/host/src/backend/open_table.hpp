// From the entry point of a backend to a backend.
#pragma once

#include <backplane/host/backend_registry.hpp>

#include <memory>

namespace backplane::backend {

/// What makes backends from the table that `factory`, the entry point, returns. Those that live at
/// the same time share one start of it. Null, from what it makes: `factory` returned null.
/// Errors, from what it makes: DiagnosticException with kInvalidTable, and what `start` says.
BackendFactoryFunction MakeBackendFactory(const PluginOrigin& origin, void* (*factory)());

}  // namespace backplane::backend
