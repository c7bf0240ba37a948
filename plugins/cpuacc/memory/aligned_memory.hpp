#pragma once

/// Memory as vector instructions and the tables of pages want it.

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// Cache lines, and the widest vectors.
constexpr std::uint64_t kAlignmentBytes = 64;

/// What the system calls a huge page, where pages have 4 KiB.
constexpr std::uint64_t kHugePageBytes = std::uint64_t{2} << 20;

constexpr std::uint64_t RoundUp(std::uint64_t bytes, std::uint64_t alignment = kAlignmentBytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Memory that fills huge pages lies in them, where the system gives any: weights are read once in
/// a run, and each small page of them costs a search of the tables.
///
/// Errors: std::bad_alloc.
std::shared_ptr<void> AllocateAligned(std::uint64_t size_bytes);

/// How large memory is that AllocateAligned gave; 0 for other memory.
std::uint64_t GetAllocatedBytes(const std::shared_ptr<const void>& memory);

}  // namespace cpuacc
}  // namespace backplane
