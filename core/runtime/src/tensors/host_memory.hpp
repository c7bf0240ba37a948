#pragma once

#include <cstdint>
#include <memory>

namespace backplane {

/// Allocates memory of the host, aligned to kTensorAlignmentBytes. Never null.
/// Errors: std::bad_alloc.
std::shared_ptr<void> AllocateHostMemory(std::uint64_t size_bytes);

}  // namespace backplane
