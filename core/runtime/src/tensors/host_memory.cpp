#include "tensors/host_memory.hpp"

#include "tensors/tensor_size.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace backplane {

std::shared_ptr<void> AllocateHostMemory(std::uint64_t size_bytes, std::uint64_t alignment_bytes) {
  const std::align_val_t alignment{std::max(alignment_bytes, kTensorAlignmentBytes)};
  void* memory = ::operator new(std::max<std::uint64_t>(size_bytes, 1), alignment);
  return {memory, [alignment](void* block) { ::operator delete(block, alignment); }};
}

std::shared_ptr<void> ReserveHostMemory(std::uint64_t size_bytes, std::uint64_t alignment_bytes) {
  constexpr std::uint64_t kLeastMappedBytes = std::uint64_t{4} << 20;
  constexpr std::uint64_t kLeastPageBytes = 4096;
  if (size_bytes < kLeastMappedBytes || alignment_bytes > kLeastPageBytes) {
    return AllocateHostMemory(size_bytes, alignment_bytes);
  }
  void* const memory =
      mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return {memory, [size_bytes](void* block) { munmap(block, size_bytes); }};
}

}  // namespace backplane
