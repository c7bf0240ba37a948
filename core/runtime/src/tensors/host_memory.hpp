#pragma once

#include "tensors/tensor_size.hpp"

#include <cstdint>
#include <memory>

namespace backplane {

/// Allocates memory of the host, aligned to a power of two, at least to kTensorAlignmentBytes.
/// Never null. Errors: std::bad_alloc.
std::shared_ptr<void> AllocateHostMemory(std::uint64_t size_bytes,
                                         std::uint64_t alignment_bytes = kTensorAlignmentBytes);

/// The same for memory of which parts may never be used, as the room in an arena for tensors that
/// lie in memory of the application: large blocks are mapped by themselves, and pages that nobody
/// writes to take no memory.
std::shared_ptr<void> ReserveHostMemory(std::uint64_t size_bytes,
                                        std::uint64_t alignment_bytes = kTensorAlignmentBytes);

}  // namespace backplane
