#pragma once

#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>

#include <cstdint>

namespace backplane {

/// Memory of the application for the tensors of a backend. Implemented by applications.
class ICustomAllocator {
 public:
  virtual ~ICustomAllocator() = default;

  /// Allocates a block.
  /// Ownership: the block belongs to the caller, who gives it back with Free.
  /// Errors: kOutOfMemory; kUnsupported when the alignment cannot be met. The block is untouched.
  /// Units: bytes; the alignment is a power of two.
  /// [any thread] Since: 1.0
  virtual Status Allocate(std::uint64_t size_bytes, std::uint64_t alignment_bytes,
                          MemoryBlock* block) = 0;

  /// Frees a block that Allocate gave.
  /// Errors: kInvalidArgument for a block that is not this allocator's; nothing is freed.
  /// [any thread] [after Allocate] Since: 1.0
  virtual Status Free(const MemoryBlock& block) = 0;

  /// The kind of memory that Allocate gives; the same at every call. [any thread] Since: 1.0
  virtual MemorySource GetMemorySource() const = 0;
};

}  // namespace backplane
