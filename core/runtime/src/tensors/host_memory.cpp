#include "tensors/host_memory.hpp"

#include "tensors/tensor_size.hpp"

#include <algorithm>
#include <new>

namespace backplane {

std::shared_ptr<void> AllocateHostMemory(std::uint64_t size_bytes) {
  constexpr std::align_val_t kAlignment{kTensorAlignmentBytes};
  void* memory = ::operator new(std::max<std::uint64_t>(size_bytes, 1), kAlignment);
  return {memory, [](void* block) { ::operator delete(block, kAlignment); }};
}

}  // namespace backplane
