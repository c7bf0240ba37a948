#pragma once

#include <backplane/api/i_custom_allocator.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace backplane {

/// What an allocator does wrong.
enum class AllocatorFault {
  kNone,
  kFails,         // kOutOfMemory
  kThrows,        // std::runtime_error("the allocator is angry")
  kThrowsNumber,  // something that is no std::exception
  kMisaligns,
  kTooSmall,  // one byte too few
  kNoAddress,
  kLies,          // blocks are memory of the CPU, whatever GetMemorySource says
  kAddress,       // protected blocks have an address
  kNoDescriptor,  // protected blocks have no file descriptor
  kFreeFails,
  kFreeThrows,
};

/// Counts what it gives. Protected blocks are memory files here, without an address.
class TestAllocator final : public ICustomAllocator {
 public:
  explicit TestAllocator(MemorySource memory_source = MemorySource::kMalloc)
      : source(memory_source) {}
  ~TestAllocator() override;

  Status Allocate(std::uint64_t size_bytes, std::uint64_t alignment_bytes,
                  MemoryBlock* block) override;
  Status Free(const MemoryBlock& block) override;
  MemorySource GetMemorySource() const override;

  int GetNumAllocated() const { return num_allocated_; }
  int GetNumLive() const;
  int GetNumWronglyFreed() const { return num_wrongly_freed_; }
  /// Whether an address lies in one of the blocks that are not freed.
  bool Owns(const void* address) const;

  std::atomic<AllocatorFault> fault{AllocatorFault::kNone};
  MemorySource source;
  bool throws_when_asked = false;  // in GetMemorySource

 private:
  struct Given {
    MemoryBlock block;
    void* memory = nullptr;
  };

  Given Make(std::uint64_t size_bytes, std::uint64_t alignment_bytes) const;

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Given> live_;  // by token
  std::atomic<int> num_allocated_{0};
  std::atomic<int> num_wrongly_freed_{0};
};

}  // namespace backplane
