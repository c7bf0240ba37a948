#pragma once

#include "progress/progress_observer.hpp"

#include <backplane/host/contexts.hpp>

#include <memory>
#include <string>

namespace backplane::creation {

/// The allocator of the application for a backend.
/// Null: it gave none.
std::shared_ptr<ICustomAllocator> FindCustomAllocator(const ContextSettings& settings,
                                                      const std::string& backend_id);

/// The allocator that a backend is to use in a runtime: the application's for it, when there is
/// one; else, in protected mode, the backend's own. The backend has agreed to the application's,
/// and in protected mode what it allocates is protected.
/// Empty: the backend has no allocator.
/// Errors: DiagnosticException with kAllocatorRefused, kNotProtected, kNoProtectedAllocator,
/// kAllocatorFailed or kBackendThrew.
PluginObject<ICustomAllocator> ChooseAllocator(const PluginObject<IBackendInternal>& backend,
                                               const BackendCapabilities& capabilities,
                                               const ContextSettings& settings,
                                               progress::ProgressObserver* observer);

}  // namespace backplane::creation
