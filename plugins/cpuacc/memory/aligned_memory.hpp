#pragma once

/// Memory as vector instructions want it.

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace backplane {
namespace cpuacc {

/// Cache lines, and the widest vectors.
constexpr std::uint64_t kAlignmentBytes = 64;

/// Memory that is read from one end to the other is read faster in large pages, where the system
/// has them.
constexpr std::uint64_t kLargePageBytes = std::uint64_t{1} << 21;

constexpr std::uint64_t RoundUp(std::uint64_t bytes, std::uint64_t alignment = kAlignmentBytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Frees memory, and knows how large it is.
struct AlignedDeleter {
  void operator()(void* memory) const { std::free(memory); }
  std::uint64_t size_bytes = 0;
};

/// Errors: std::bad_alloc.
inline std::shared_ptr<void> AllocateAligned(std::uint64_t size_bytes) {
  const bool is_large = size_bytes >= kLargePageBytes;
  const std::uint64_t alignment = is_large ? kLargePageBytes : kAlignmentBytes;
  // Not rounded to whole pages, which would be in memory as a whole.
  const std::uint64_t rounded = RoundUp(size_bytes == 0 ? 1 : size_bytes);
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, rounded) != 0) throw std::bad_alloc();
  if (is_large) static_cast<void>(madvise(memory, rounded, MADV_HUGEPAGE));
  return std::shared_ptr<void>(memory, AlignedDeleter{rounded});
}

/// How large memory is that AllocateAligned gave; 0 for other memory.
inline std::uint64_t GetAllocatedBytes(const std::shared_ptr<const void>& memory) {
  const auto* deleter = std::get_deleter<AlignedDeleter>(memory);
  return deleter != nullptr ? deleter->size_bytes : 0;
}

}  // namespace cpuacc
}  // namespace backplane
