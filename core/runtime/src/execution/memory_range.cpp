#include "execution/memory_range.hpp"

#include <sys/stat.h>

namespace backplane {

MemoryRange MakeRange(const void* data, std::uint64_t size_bytes) {
  return {0, 0, reinterpret_cast<std::uintptr_t>(data), size_bytes};
}

MemoryRange MakeRange(const MemoryView& memory) {
  if (memory.source == MemorySource::kMalloc) return MakeRange(memory.data, memory.size_bytes);
  struct stat status {};
  const bool is_known =
      memory.source == MemorySource::kFileDescriptor && fstat(memory.file_descriptor, &status) == 0;
  if (!is_known) return {};
  return {status.st_dev, status.st_ino, memory.offset_bytes, memory.size_bytes};
}

}  // namespace backplane
