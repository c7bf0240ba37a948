#include "tensors/file_size.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace backplane {

std::optional<std::uint64_t> GetFileSizeBytes(int file_descriptor) {
  struct stat facts {};
  if (::fstat(file_descriptor, &facts) != 0 || S_ISDIR(facts.st_mode)) return std::nullopt;
  if (facts.st_size > 0) return static_cast<std::uint64_t>(facts.st_size);
  // A dma-buf may tell its size only so. It is never read or written, so its position is free.
  const off_t end = ::lseek(file_descriptor, 0, SEEK_END);
  if (end < 0) return std::nullopt;
  return static_cast<std::uint64_t>(end);
}

}  // namespace backplane
