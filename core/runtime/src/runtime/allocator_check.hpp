#pragma once

#include <backplane/host/contexts.hpp>

#include <vector>

namespace backplane {

/// Checks what an application gives: no allocator is null, and no backend has two.
/// Errors: DiagnosticException with kNullAllocator or kDuplicateAllocator.
void CheckAllocators(const std::vector<CustomAllocator>& allocators);

}  // namespace backplane
