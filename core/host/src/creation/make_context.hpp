#pragma once

#include "progress/progress_observer.hpp"

#include <backplane/host/contexts.hpp>

namespace backplane::creation {

/// As MakeBackendContext.
/// Null: without `observer`, nobody is told of the calls.
LoadedContext MakeContext(const PluginObject<IBackendInternal>& backend,
                          const BackendCapabilities& capabilities, const ContextSettings& settings,
                          progress::ProgressObserver* observer);

}  // namespace backplane::creation
