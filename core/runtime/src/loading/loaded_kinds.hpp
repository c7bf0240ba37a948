#pragma once

#include "loading/loaded_backend.hpp"
#include "memory/arena_block.hpp"
#include "placement/kind_table.hpp"

#include <memory>
#include <vector>

namespace backplane {

/// Has the backends of a network register their factories again.
/// Errors: DiagnosticException with kFactoryDisagrees when they are not those of `expected`;
/// kBackendThrew.
NetworkKinds LoadKinds(const std::vector<std::shared_ptr<const NetworkBackend>>& backends,
                       MemoryProtection protection, const KindTable& expected);

/// Where the blocks of each arena come from: that of the core as ChooseArena says, the others from
/// their memory managers.
/// Errors: DiagnosticException as ChooseArena.
std::vector<std::unique_ptr<ArenaSource>> MakeArenaSources(
    const std::vector<LoadedBackend>& backends, MemoryProtection protection,
    const KindObjects& objects);

}  // namespace backplane
