#pragma once

/// Memory as vector instructions want it.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace backplane {
namespace cpuacc {

/// Cache lines, and the widest vectors.
constexpr std::uint64_t kAlignmentBytes = 64;

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
  const std::uint64_t rounded = RoundUp(size_bytes == 0 ? 1 : size_bytes);
  void* memory = std::aligned_alloc(kAlignmentBytes, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return std::shared_ptr<void>(memory, AlignedDeleter{rounded});
}

/// How large memory is that AllocateAligned gave; 0 for other memory.
inline std::uint64_t GetAllocatedBytes(const std::shared_ptr<const void>& memory) {
  const auto* deleter = std::get_deleter<AlignedDeleter>(memory);
  return deleter != nullptr ? deleter->size_bytes : 0;
}

}  // namespace cpuacc
}  // namespace backplane
