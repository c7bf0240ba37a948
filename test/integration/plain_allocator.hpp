#pragma once

#include <backplane/api/i_custom_allocator.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace backplane::test {

/// Allocates memory of the CPU, or, as protected memory, files without an address, and counts.
class PlainAllocator final : public ICustomAllocator {
 public:
  explicit PlainAllocator(MemorySource source = MemorySource::kMalloc) : source_(source) {}

  Status Allocate(std::uint64_t size_bytes, std::uint64_t alignment_bytes,
                  MemoryBlock* block) override {
    if (source_ == MemorySource::kDmaBufProtected) {
      block->file_descriptor = memfd_create("protected", MFD_CLOEXEC);
    } else {
      const std::uint64_t rounded = (size_bytes / alignment_bytes + 1) * alignment_bytes;
      block->data = std::aligned_alloc(alignment_bytes, rounded);
    }
    block->source = source_;
    block->size_bytes = size_bytes;
    ++num_allocated;
    return Status::kSuccess;
  }
  Status Free(const MemoryBlock& block) override {
    std::free(block.data);
    if (block.file_descriptor >= 0) close(block.file_descriptor);
    ++num_freed;
    return Status::kSuccess;
  }
  MemorySource GetMemorySource() const override { return source_; }

  std::atomic<int> num_allocated{0};
  std::atomic<int> num_freed{0};

 private:
  const MemorySource source_;
};

}  // namespace backplane::test
