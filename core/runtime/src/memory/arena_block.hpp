#pragma once

#include "tensors/tensor_size.hpp"

#include <backplane/api/i_custom_allocator.hpp>
#include <backplane/api/i_memory_manager.hpp>
#include <backplane/api/memory_view.hpp>
#include <backplane/host/contexts.hpp>
#include <backplane/host/plugin_object.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace backplane {

/// One that gives blocks of memory and takes them back.
///
/// Threads: any.
class BlockGiver {
 public:
  virtual ~BlockGiver() = default;

  /// Errors: a status, or what was thrown; there is no block then.
  virtual PluginResult<Status> Give(const MemoryRequirements& requirements, MemoryBlock* block) = 0;
  /// Faults are logged.
  virtual void TakeBack(const MemoryBlock& block) noexcept = 0;

  /// "the memory manager of backend \"A\"", for messages.
  virtual std::string Describe() const = 0;
  virtual const std::string& GetBackendId() const = 0;
};

/// The memory manager of a backend. Must not be empty.
std::unique_ptr<BlockGiver> MakeBlockGiver(PluginObject<IMemoryManager> memory_manager);

/// An allocator of the application for a backend. Must not be empty.
std::unique_ptr<BlockGiver> MakeBlockGiver(PluginObject<ICustomAllocator> allocator);

class ArenaBlock;

/// What a block must be, and what happens when it is not.
enum class BlockRule {
  kCpu,          // addressable by the CPU; else no memory is allocated
  kOfFactories,  // anything: only the handles of a backend's own factories lie there
  kProtected,    // a protected dma-buf without an address; else no memory is allocated
};

/// Which memory of the host.
enum class HostMemory {
  kPrivate,
  kShared,  // that processes of isolated backends map too
};

/// Where the blocks of working memories come from.
///
/// Threads: any.
class ArenaSource {
 public:
  explicit ArenaSource(HostMemory memory = HostMemory::kPrivate) : memory_(memory) {}
  /// `giver` must not be null.
  ArenaSource(std::unique_ptr<BlockGiver> giver, BlockRule rule);

  /// Allocates a block; one with an address is aligned.
  /// Errors: DiagnosticException with kOutOfMemory, kBackendThrew, kAllocatorFailed or
  /// kUnprotectedMemory.
  std::unique_ptr<ArenaBlock> Allocate(std::uint64_t size_bytes,
                                       std::uint64_t alignment_bytes = kTensorAlignmentBytes);

  MemoryProtection GetProtection() const {
    return rule_ == BlockRule::kProtected ? MemoryProtection::kProtected : MemoryProtection::kNone;
  }

 private:
  std::unique_ptr<ArenaBlock> AllocateFromGiver(std::uint64_t size_bytes,
                                                std::uint64_t alignment_bytes);

  std::unique_ptr<BlockGiver> giver_;  // null for memory of the host
  BlockRule rule_ = BlockRule::kCpu;
  HostMemory memory_ = HostMemory::kPrivate;
};

/// One block, given back when destroyed. Its giver outlives it.
class ArenaBlock {
 public:
  /// A block of a giver.
  ArenaBlock(BlockGiver& giver, const MemoryBlock& block) : giver_(&giver), block_(block) {}
  /// Memory of the host.
  ArenaBlock(std::uint64_t size_bytes, std::uint64_t alignment_bytes, HostMemory memory);
  ~ArenaBlock();
  ArenaBlock(const ArenaBlock&) = delete;
  ArenaBlock& operator=(const ArenaBlock&) = delete;

  const MemoryBlock& Get() const { return block_; }

 private:
  BlockGiver* giver_ = nullptr;
  std::shared_ptr<void> host_memory_;
  MemoryBlock block_;
};

}  // namespace backplane
