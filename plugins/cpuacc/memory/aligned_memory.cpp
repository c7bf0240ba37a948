#include "memory/aligned_memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace backplane {
namespace cpuacc {

namespace {

/// Frees memory, and knows how large it is.
struct AlignedDeleter {
  void operator()(void* memory) const { std::free(memory); }
  std::uint64_t size_bytes = 0;
};

}  // namespace

std::shared_ptr<void> AllocateAligned(std::uint64_t size_bytes) {
  const bool fills_huge_pages = size_bytes >= kHugePageBytes;
  const std::uint64_t alignment = fills_huge_pages ? kHugePageBytes : kAlignmentBytes;
  const std::uint64_t rounded = RoundUp(size_bytes == 0 ? 1 : size_bytes);
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, rounded) != 0) throw std::bad_alloc();
  // A system without huge pages refuses, and the memory is as good as it was. The rest behind the
  // last whole page stays in small ones, so that nothing more is used.
  if (fills_huge_pages) {
    madvise(memory, size_bytes / kHugePageBytes * kHugePageBytes, MADV_HUGEPAGE);
  }
  return std::shared_ptr<void>(memory, AlignedDeleter{rounded});
}

std::uint64_t GetAllocatedBytes(const std::shared_ptr<const void>& memory) {
  const auto* deleter = std::get_deleter<AlignedDeleter>(memory);
  return deleter != nullptr ? deleter->size_bytes : 0;
}

}  // namespace cpuacc
}  // namespace backplane
