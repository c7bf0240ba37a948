#pragma once

#include "backend/progress_observer.hpp"

#include <backplane/host/contexts.hpp>

namespace backplane::backend {

/// As MakeBackendContext.
/// Null: without `observer`, nobody is told of the calls.
LoadedContext MakeContext(const PluginObject<IBackendInternal>& backend,
                          const BackendCapabilities& capabilities, const ContextSettings& settings,
                          ProgressObserver* observer);

}  // namespace backplane::backend
