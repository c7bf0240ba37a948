#pragma once

/// The backend's own allocator, and what it does with those of applications.

#include "mistake.hpp"

#include <backplane/api/i_custom_allocator.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

namespace mutants {

class Allocator final : public backplane::ICustomAllocator {
 public:
  backplane::Status Allocate(std::uint64_t size_bytes, std::uint64_t alignment_bytes,
                             backplane::MemoryBlock* block) override {
    void* memory = nullptr;
    const std::uint64_t alignment = std::max<std::uint64_t>(alignment_bytes, sizeof(void*));
    if (posix_memalign(&memory, alignment, std::max<std::uint64_t>(size_bytes, 1)) != 0) {
      return backplane::Status::kOutOfMemory;
    }
    *block = {};
    block->data = memory;
    block->source = backplane::MemorySource::kMalloc;
    block->size_bytes = Makes(Mistake::kAllocatorGivesLess) ? size_bytes / 2 : size_bytes;
    const std::lock_guard<std::mutex> lock(mutex_);
    blocks_.insert(memory);
    return backplane::Status::kSuccess;
  }

  backplane::Status Free(const backplane::MemoryBlock& block) override {
    if (Makes(Mistake::kAllocatorFreesNothing)) return backplane::Status::kUnsupported;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (blocks_.erase(block.data) == 0) return backplane::Status::kInvalidArgument;
    std::free(block.data);
    return backplane::Status::kSuccess;
  }

  backplane::MemorySource GetMemorySource() const override {
    return backplane::MemorySource::kMalloc;
  }

 private:
  std::mutex mutex_;
  std::set<const void*> blocks_;  // that have not been freed
};

/// Keeps an allocator for as long as the library, which is a mistake.
inline void KeepForever(std::shared_ptr<backplane::ICustomAllocator> allocator) {
  static std::shared_ptr<backplane::ICustomAllocator> kept;
  kept = std::move(allocator);
}

}  // namespace mutants
