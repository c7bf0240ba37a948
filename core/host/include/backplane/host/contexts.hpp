#pragma once

/// What a backend keeps for the life of a runtime, and what it is made with.

#include <backplane/api/backend_options.hpp>
#include <backplane/api/i_backend_context.hpp>
#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/i_custom_allocator.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// Where the tensors of networks may lie.
enum class MemoryProtection {
  kNone,       // anywhere
  kProtected,  // only in memory that the CPU may not read
};

/// An allocator of the application for one backend.
struct CustomAllocator {
  std::string backend_id;
  std::shared_ptr<ICustomAllocator> allocator;
};

/// What a runtime gives its backends when their contexts are made.
struct ContextSettings {
  std::vector<BackendOptions> options;
  std::vector<CustomAllocator> allocators;  // at most one for each backend, none null
  MemoryProtection protection = MemoryProtection::kNone;
};

/// The context of one backend in one runtime.
struct LoadedContext {
  std::string backend_id;
  /// Empty when the backend keeps nothing.
  PluginObject<IBackendContext> context;
  /// The application's for this backend, which has agreed to use it. Empty when there is none.
  PluginObject<ICustomAllocator> allocator;
  /// The number of the process in which it was made. 0: the backend is not isolated.
  std::uint32_t process_number = 0;
};

/// Makes the context of a backend, which states that it can use the allocator meant for it, if
/// there is one, and, in protected mode, that it can work there at all. `capabilities` are those of
/// the backend. Errors: DiagnosticException with kUnknownOption or kInvalidOption;
/// kAllocatorRefused; kNotProtected or kNoProtectedAllocator; kBackendThrew or kBackendUnavailable.
/// [any thread]
BACKPLANE_HOST_API LoadedContext MakeBackendContext(const PluginObject<IBackendInternal>& backend,
                                                    const BackendCapabilities& capabilities,
                                                    const ContextSettings& settings);

/// Whether a diagnostic says that a sound backend cannot work as things are: it is then listed as
/// unavailable, not as rejected.
/// [any thread]
BACKPLANE_HOST_API bool IsUnavailability(const Diagnostic& diagnostic);

/// Whether the backend itself said so, by BackendUnavailableException: each of its reasons has a
/// code.
/// [any thread]
BACKPLANE_HOST_API bool IsOwnUnavailability(const Diagnostic& diagnostic);

}  // namespace backplane
