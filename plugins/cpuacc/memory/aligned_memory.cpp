#include "memory/aligned_memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace backplane {
namespace cpuacc {

std::shared_ptr<void> AllocateAligned(std::uint64_t size_bytes) {
  const bool fills_huge_pages = size_bytes >= kHugePageBytes;
  const std::uint64_t alignment = fills_huge_pages ? kHugePageBytes : kAlignmentBytes;
  void* memory =
      std::aligned_alloc(alignment, RoundUp(size_bytes == 0 ? 1 : size_bytes, kAlignmentBytes));
  if (memory == nullptr) throw std::bad_alloc();
  // A system without huge pages refuses, and the memory is as good as it was. The rest behind the
  // last whole page stays in small ones, so that nothing more is used.
  if (fills_huge_pages)
    madvise(memory, size_bytes / kHugePageBytes * kHugePageBytes, MADV_HUGEPAGE);
  return std::shared_ptr<void>(memory, &std::free);
}

}  // namespace cpuacc
}  // namespace backplane
