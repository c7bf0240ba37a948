#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace backplane::elf {

/// A piece of a file.
struct FileRange {
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
};

/// Whether `size_bytes` bytes from `offset` end at or before `end`.
constexpr bool IsWithin(std::uint64_t offset, std::uint64_t size_bytes, std::uint64_t end) {
  return offset <= end && size_bytes <= end - offset;
}

struct MemoryUnmapper {
  std::uint64_t size_bytes = 0;
  void operator()(char* memory) const;
};

/// Memory for all bytes of a file, the first of which were read.
struct FileBeginning {
  std::unique_ptr<char[]> memory;
  std::uint64_t num_read_bytes = 0;
};

/// The bytes of a file, each read when it is first asked for and kept. They take as much memory as
/// what was asked for, however often that was.
class FileImage {
 public:
  FileImage() = default;
  /// Ownership: the descriptor is borrowed and must stay open.
  /// Null: without memory in `beginning`, the image takes some that only what is read makes real.
  FileImage(int descriptor, std::uint64_t size_bytes, FileBeginning beginning);

  std::uint64_t GetSizeBytes() const { return size_bytes_; }

  /// Null: empty, not in the file, or it cannot be read.
  /// Ownership: valid as long as this object, also when that is moved.
  std::optional<std::string_view> Read(FileRange range) const {
    const bool is_at_beginning = IsWithin(range.offset, range.size_bytes, beginning_bytes_);
    return is_at_beginning && range.size_bytes != 0
               ? std::string_view(memory_ + range.offset, range.size_bytes)
               : ReadElsewhere(range);
  }

 private:
  std::optional<std::string_view> ReadElsewhere(FileRange range) const;
  bool ReadBlocks(std::uint64_t first, std::uint64_t end) const;
  bool ReadMissing(FileRange range) const;

  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
  // One of the two, of the size of the file; filled block by block.
  std::unique_ptr<char[]> allocated_;
  std::unique_ptr<char[], MemoryUnmapper> mapped_;
  char* memory_ = nullptr;             // that one
  std::uint64_t beginning_bytes_ = 0;  // that were read before
  mutable std::vector<bool> is_read_;  // of each block
};

}  // namespace backplane::elf
