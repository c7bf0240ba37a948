#pragma once

#include "tensors/tensor_size.hpp"

#include <cstdint>
#include <memory>

namespace backplane {

/// Allocates memory of the host, aligned to a power of two, at least to kTensorAlignmentBytes.
/// Never null. Errors: std::bad_alloc.
std::shared_ptr<void> AllocateHostMemory(std::uint64_t size_bytes,
                                         std::uint64_t alignment_bytes = kTensorAlignmentBytes);

}  // namespace backplane
