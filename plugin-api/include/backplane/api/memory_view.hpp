#pragma once

/// Memory as it is described between backends: frozen plain structs, no objects.

#include <backplane/api/data_type.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// Where memory comes from. Values are single bits, so that they combine into flags.
enum class MemorySource : std::uint32_t {
  kUndefined = 0,
  kMalloc = 1,           // addressable by the CPU
  kFileDescriptor = 2,   // a memfd or another descriptor that can be mapped
  kDmaBuf = 4,           // a dma-buf descriptor
  kDmaBufProtected = 8,  // a dma-buf whose content the CPU may not read
};

/// Bits of MemorySource, combined by or.
using MemorySourceFlags = std::uint32_t;

constexpr MemorySourceFlags ToFlags(MemorySource source) {
  return static_cast<MemorySourceFlags>(source);
}

enum class TensorLayout : std::uint32_t {
  kKnown = 1,   // row-major, dense or with padding; a MemoryView describes it
  kOpaque = 2,  // known to the backend alone; excludes map, import and export
};

enum class MemoryAccess : std::uint32_t {
  kRead = 1,
  kWrite = 2,
  kReadWrite = 3,
};

/// The memory of one tensor, seen from outside the backend that owns it. Also the description of
/// memory to import and of memory exported.
///
/// Memory with an address is known by `data`; memory of a file by `file_descriptor` and
/// `offset_bytes`, and by `data` too when it is mapped. What `source` says is how it can be used.
///
/// Ownership: nothing is owned, the file descriptor neither; the memory stays as long as the handle
/// that gave the view, or as the one who asked for the import has promised.
struct MemoryView {
  void* data = nullptr;               // first byte of the tensor; null when not CPU-addressable
  std::int32_t file_descriptor = -1;  // -1 when there is none
  MemorySource source = MemorySource::kUndefined;
  std::uint64_t offset_bytes = 0;     // of the tensor in the file; data already includes it
  std::uint64_t size_bytes = 0;       // from the first byte to behind the last one
  std::uint64_t alignment_bytes = 0;  // of the first byte
  MemoryAccess access = MemoryAccess::kReadWrite;
  DataType data_type = DataType::kUndefined;
  std::uint32_t rank = 0;
  TensorLayout layout = TensorLayout::kKnown;  // kOpaque: dims and strides say nothing
  std::int64_t dims[kMaxRank] = {};
  std::int64_t strides_bytes[kMaxRank] = {};  // from one index to the next along each axis
  std::uint64_t reserved[4] = {};
};

/// A piece of memory that a memory manager allocated, large enough for several tensors.
struct MemoryBlock {
  void* data = nullptr;               // null when the CPU cannot address it
  std::int32_t file_descriptor = -1;  // -1 when there is none
  MemorySource source = MemorySource::kUndefined;
  std::uint64_t size_bytes = 0;
  std::uint64_t token = 0;  // the memory manager's own; opaque to everyone else
  std::uint64_t reserved[2] = {};
};

/// What a tensor, or a block of them, asks of memory.
struct MemoryRequirements {
  std::uint64_t size_bytes = 0;
  std::uint64_t alignment_bytes = 0;  // a power of two
  std::uint64_t reserved[2] = {};
};

}  // namespace backplane
