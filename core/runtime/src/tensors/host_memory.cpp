#include "tensors/host_memory.hpp"

#include "tensors/tensor_size.hpp"

#include <algorithm>
#include <new>

namespace backplane {

std::shared_ptr<void> AllocateHostMemory(std::uint64_t size_bytes, std::uint64_t alignment_bytes) {
  const std::align_val_t alignment{std::max(alignment_bytes, kTensorAlignmentBytes)};
  void* memory = ::operator new(std::max<std::uint64_t>(size_bytes, 1), alignment);
  return {memory, [alignment](void* block) { ::operator delete(block, alignment); }};
}

}  // namespace backplane
