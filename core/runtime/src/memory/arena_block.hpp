#pragma once

#include "memory/block_giver.hpp"
#include "tensors/tensor_size.hpp"

#include <backplane/host/contexts.hpp>

#include <cstdint>
#include <memory>

namespace backplane {

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
