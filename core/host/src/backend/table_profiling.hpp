// The profiling side of a backend, over its table.
#pragma once

#include "backend/instance.hpp"

#include <backplane/api/i_backend_profiling_context.hpp>

#include <memory>

namespace backplane::backend {

/// Null: the backend measures nothing.
/// Errors: DiagnosticException.
std::unique_ptr<IBackendProfilingContext> MakeProfiling(const InstanceShare& instance,
                                                        const ProfilingContextArgs& args);

}  // namespace backplane::backend
