#pragma once

/// The blocks of the backend. Whatever others may see of them, the backend itself has an address.

#include "scenario.hpp"

#include <backplane/api/i_memory_manager.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

namespace memory_mock {

/// What stands behind a token.
struct Allocation {
  unsigned char* data = nullptr;
  std::uint64_t size_bytes = 0;
  int file_descriptor = -1;
};

/// All blocks of the library that are alive, by token.
class AllocationTable {
 public:
  std::uint64_t Add(const Allocation& allocation) {
    const std::lock_guard<std::mutex> lock(mutex_);
    allocations_[++last_token_] = allocation;
    return last_token_;
  }
  /// The empty allocation when the token is not known.
  Allocation Find(std::uint64_t token) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = allocations_.find(token);
    return found != allocations_.end() ? found->second : Allocation();
  }
  void Remove(std::uint64_t token) {
    const std::lock_guard<std::mutex> lock(mutex_);
    allocations_.erase(token);
  }
  std::int64_t Count() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<std::int64_t>(allocations_.size());
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Allocation> allocations_;
  std::uint64_t last_token_ = 0;
};

inline AllocationTable& GetAllocations() {
  static AllocationTable allocations;
  return allocations;
}

/// Blocks of kMemfd are known by a descriptor, and those of kDevice by nothing but their token.
class MemoryManager : public backplane::IMemoryManager {
 public:
  explicit MemoryManager(Storage storage) : storage_(storage) {}

  backplane::Status Acquire(const backplane::MemoryRequirements& requirements,
                            backplane::MemoryBlock* block) override {
    Allocation allocation;
    allocation.size_bytes = std::max<std::uint64_t>(requirements.size_bytes, 1);
    const bool is_made = storage_ == Storage::kMemfd
                             ? MapNewFile(allocation)
                             : AllocateAligned(requirements.alignment_bytes, allocation);
    if (!is_made) return backplane::Status::kOutOfMemory;
    *block = {};
    block->size_bytes = requirements.size_bytes;
    block->token = GetAllocations().Add(allocation);
    block->file_descriptor = allocation.file_descriptor;
    if (storage_ == Storage::kMemfd) block->source = backplane::MemorySource::kFileDescriptor;
    return backplane::Status::kSuccess;
  }

  void Release(const backplane::MemoryBlock& block) override {
    const Allocation allocation = GetAllocations().Find(block.token);
    GetAllocations().Remove(block.token);
    if (allocation.file_descriptor < 0) return std::free(allocation.data);
    munmap(allocation.data, allocation.size_bytes);
    close(allocation.file_descriptor);
  }

 private:
  static bool AllocateAligned(std::uint64_t alignment_bytes, Allocation& allocation) {
    const std::uint64_t alignment = std::max<std::uint64_t>(alignment_bytes, 64);
    const std::uint64_t size = (allocation.size_bytes + alignment - 1) / alignment * alignment;
    allocation.data = static_cast<unsigned char*>(std::aligned_alloc(alignment, size));
    return allocation.data != nullptr;
  }

  static bool MapNewFile(Allocation& allocation) {
    const int file = memfd_create("mock", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return false;
    void* data = MAP_FAILED;
    if (ftruncate(file, static_cast<off_t>(allocation.size_bytes)) == 0) {
      data = mmap(nullptr, allocation.size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (data == MAP_FAILED) {
      close(file);
      return false;
    }
    allocation.data = static_cast<unsigned char*>(data);
    allocation.file_descriptor = file;
    return true;
  }

  Storage storage_;
};

}  // namespace memory_mock
