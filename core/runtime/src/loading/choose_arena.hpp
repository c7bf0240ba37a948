#pragma once

#include "loading/loaded_backend.hpp"
#include "memory/arena_block.hpp"

#include <memory>
#include <vector>

namespace backplane {

/// Decides where the one arena of a network comes from, which all its backends must reach.
///   In protected mode: the allocator, when all backends have this very one.
///   Else: the application's allocator, when all backends have this very one; for a network on one
///   backend, then the backend's memory manager, or else its default allocator; else the host.
/// Errors: DiagnosticException with kUnprotectedMemory, when there is no such allocator in
/// protected mode; kBackendThrew.
std::unique_ptr<ArenaSource> ChooseArena(const std::vector<LoadedBackend>& backends,
                                         MemoryProtection protection);

}  // namespace backplane
