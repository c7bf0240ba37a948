#pragma once

/// Views of dense tensors, as handles give them.

#include <backplane/api/memory_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// What is known before it is known where the tensor lies.
MemoryView DescribeDense(const TensorInfo& info);

/// Whether memory that may be used so may also be used as is wanted.
bool Allows(MemoryAccess given, MemoryAccess wanted);

/// The largest power of two that divides the address.
std::uint64_t GetAlignment(const void* data);

}  // namespace cpu_layers
}  // namespace backplane
