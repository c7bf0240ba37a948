#pragma once

#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace backplane {

/// Bytes of the file, memfd, device or dma-buf behind a descriptor.
/// Null: when it is not open, or has no size.
std::optional<std::uint64_t> GetFileSizeBytes(int file_descriptor);

/// A piece of a file, mapped into this process as long as the object lives. What is written reaches
/// the file. The descriptor is not needed any more once the piece is mapped.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  /// Maps `size_bytes`, at least one, from any offset on, in place of what was mapped before.
  /// Errors: kInvalidArgument for a descriptor that cannot be mapped with this access, and for a
  /// file that is too small; kOutOfMemory. What was mapped stays then.
  Status Map(int file_descriptor, std::uint64_t offset_bytes, std::uint64_t size_bytes,
             MemoryAccess access);

  /// Gives the memory of the pages back. Who reads them later has them read from the file again.
  void ReleasePages() const;

  /// Where the byte at the offset lies. Null: when nothing is mapped.
  void* GetData() const { return data_; }

 private:
  void* pages_ = nullptr;
  std::size_t pages_bytes_ = 0;
  void* data_ = nullptr;
};

}  // namespace backplane
