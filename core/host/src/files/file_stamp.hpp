#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace backplane::files {

/// What tells one state of one file from every other, without reading it.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;  // since 1970
  std::int64_t changed_ns = 0;   // of the inode; cannot be set by its owner
};

FileStamp MakeFileStamp(const struct stat& status);

bool operator==(const FileStamp& a, const FileStamp& b);
inline bool operator!=(const FileStamp& a, const FileStamp& b) {
  return !(a == b);
}

}  // namespace backplane::files
