#pragma once

#include "backend/progress_observer.hpp"

#include <backplane/host/contexts.hpp>

#include <memory>
#include <string>

namespace backplane::backend {

/// Makes a context, as MakeBackendContext does.
/// Null: without `observer`, nobody is told of the calls.
LoadedContext MakeContext(const PluginObject<IBackendInternal>& backend,
                          const BackendCapabilities& capabilities, const ContextSettings& settings,
                          ProgressObserver* observer);

/// The allocator of the application for a backend.
/// Null: it gave none.
std::shared_ptr<ICustomAllocator> FindCustomAllocator(const ContextSettings& settings,
                                                      const std::string& backend_id);

/// The allocator that a backend is to use in a runtime: the application's for it. The backend
/// states that it takes allocators, and in protected mode what this one allocates is protected.
/// Empty: the application gave none.
/// Errors: DiagnosticException with kAllocatorRefused, kNotProtected or kNoProtectedAllocator.
PluginObject<ICustomAllocator> ChooseAllocator(const PluginObject<IBackendInternal>& backend,
                                               const BackendCapabilities& capabilities,
                                               const ContextSettings& settings);

/// Says that a backend refuses the allocator of the application, as kAllocatorRefused.
Diagnostic DescribeRefusedAllocator(const std::string& backend_id, const std::string& why);

}  // namespace backplane::backend
