#pragma once

#include <backplane/api/memory_view.hpp>

#include <cstdint>

namespace backplane {

/// Bytes in the address space, or in a file. An address is never known to be in a file.
struct MemoryRange {
  std::uint64_t device = 0;  // of the file; 0 for addresses
  std::uint64_t file = 0;    // its number on the device
  std::uint64_t begin = 0;
  std::uint64_t size_bytes = 0;
};

MemoryRange MakeRange(const void* data, std::uint64_t size_bytes);

/// Where memory lies that was checked before. Buffers of devices have no number of their own
/// everywhere: they get an empty range.
MemoryRange MakeRange(const MemoryView& memory);

}  // namespace backplane
