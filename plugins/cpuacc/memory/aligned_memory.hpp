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

/// Errors: std::bad_alloc.
inline std::shared_ptr<void> AllocateAligned(std::uint64_t size_bytes) {
  void* memory = std::aligned_alloc(kAlignmentBytes, RoundUp(size_bytes == 0 ? 1 : size_bytes));
  if (memory == nullptr) throw std::bad_alloc();
  return std::shared_ptr<void>(memory, &std::free);
}

}  // namespace cpuacc
}  // namespace backplane
