#include "test_allocator.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace backplane {

namespace {

void Release(void* memory, int file_descriptor) {
  std::free(memory);
  if (file_descriptor >= 0) close(file_descriptor);
}

}  // namespace

TestAllocator::~TestAllocator() {
  for (const auto& [token, given] : live_) Release(given.memory, given.block.file_descriptor);
}

TestAllocator::Given TestAllocator::Make(std::uint64_t size_bytes,
                                         std::uint64_t alignment_bytes) const {
  const AllocatorFault is = fault;
  Given given;
  given.block.size_bytes = is == AllocatorFault::kTooSmall ? size_bytes - 1 : size_bytes;
  given.block.source = is == AllocatorFault::kLies ? MemorySource::kMalloc : source;
  const bool is_protected = given.block.source == MemorySource::kDmaBufProtected;
  if (!is_protected || is == AllocatorFault::kAddress) {
    const std::uint64_t rounded = (size_bytes / alignment_bytes + 2) * alignment_bytes;
    given.memory = std::aligned_alloc(alignment_bytes, rounded);
    given.block.data = static_cast<unsigned char*>(given.memory) +
                       (is == AllocatorFault::kMisaligns ? alignment_bytes / 2 : 0);
  }
  if (is == AllocatorFault::kNoAddress) given.block.data = nullptr;
  if (is_protected && is != AllocatorFault::kNoDescriptor) {
    given.block.file_descriptor = memfd_create("protected", MFD_CLOEXEC);
  }
  return given;
}

Status TestAllocator::Allocate(std::uint64_t size_bytes, std::uint64_t alignment_bytes,
                               MemoryBlock* block) {
  if (fault == AllocatorFault::kFails) return Status::kOutOfMemory;
  if (fault == AllocatorFault::kThrows) throw std::runtime_error("the allocator is angry");
  if (fault == AllocatorFault::kThrowsNumber) throw 42;
  Given given = Make(size_bytes, alignment_bytes);
  given.block.token = static_cast<std::uint64_t>(++num_allocated_);
  const std::lock_guard<std::mutex> lock(mutex_);
  live_.emplace(given.block.token, given);
  *block = given.block;
  return Status::kSuccess;
}

Status TestAllocator::Free(const MemoryBlock& block) {
  if (fault == AllocatorFault::kFreeFails) return Status::kInvalidArgument;
  if (fault == AllocatorFault::kFreeThrows) throw std::runtime_error("the allocator is angry");
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = live_.find(block.token);
  if (found == live_.end() || found->second.block.data != block.data) {
    ++num_wrongly_freed_;
    return Status::kInvalidArgument;
  }
  Release(found->second.memory, found->second.block.file_descriptor);
  live_.erase(found);
  return Status::kSuccess;
}

MemorySource TestAllocator::GetMemorySource() const {
  if (throws_when_asked) throw std::runtime_error("the allocator is angry");
  return source;
}

int TestAllocator::GetNumLive() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<int>(live_.size());
}

bool TestAllocator::Owns(const void* address) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [token, given] : live_) {
    const auto* begin = static_cast<const unsigned char*>(given.block.data);
    if (begin != nullptr && address >= begin && address < begin + given.block.size_bytes) {
      return true;
    }
  }
  return false;
}

}  // namespace backplane
