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

inline bool operator==(const MemoryRange& a, const MemoryRange& b) {
  return a.begin == b.begin && a.size_bytes == b.size_bytes && a.file == b.file &&
         a.device == b.device;
}

/// Whether they share a byte.
inline bool Overlap(const MemoryRange& a, const MemoryRange& b) {
  return a.size_bytes != 0 && b.size_bytes != 0 && a.device == b.device && a.file == b.file &&
         a.begin < b.begin + b.size_bytes && b.begin < a.begin + a.size_bytes;
}

MemoryRange MakeRange(const void* data, std::uint64_t size_bytes);

/// Where memory lies that was checked before. Buffers of devices have no number of their own
/// everywhere: they get an empty range.
MemoryRange MakeRange(const MemoryView& memory);

}  // namespace backplane
