#pragma once

#include <backplane/api/i_memory_manager.hpp>
#include <backplane/host/plugin_object.hpp>

#include <cstdint>
#include <memory>
#include <mutex>

namespace backplane {

class ArenaBlock;

/// Where the blocks of working memories come from: a backend's memory manager, or the host.
///
/// Threads: any.
class ArenaSource {
 public:
  /// An empty memory manager stands for memory of the host.
  explicit ArenaSource(PluginObject<IMemoryManager> memory_manager);

  /// Allocates a block that the CPU can address, aligned to kTensorAlignmentBytes. A memory manager
  /// whose blocks are not like that is passed over for memory of the host.
  /// Errors: DiagnosticException with kOutOfMemory or kBackendThrew.
  std::unique_ptr<ArenaBlock> Allocate(std::uint64_t size_bytes);

 private:
  friend class ArenaBlock;
  std::unique_ptr<ArenaBlock> AcquireFromManager(std::uint64_t size_bytes);
  void Release(const MemoryBlock& block) noexcept;

  std::mutex mutex_;  // a memory manager is called by one thread at a time
  PluginObject<IMemoryManager> memory_manager_;
};

/// One block, given back when destroyed. The source outlives it.
class ArenaBlock {
 public:
  /// A block of a memory manager.
  ArenaBlock(ArenaSource& source, const MemoryBlock& block) : source_(&source), block_(block) {}
  /// Memory of the host.
  explicit ArenaBlock(std::uint64_t size_bytes);
  ~ArenaBlock();
  ArenaBlock(const ArenaBlock&) = delete;
  ArenaBlock& operator=(const ArenaBlock&) = delete;

  const MemoryBlock& Get() const { return block_; }

 private:
  ArenaSource* source_ = nullptr;
  std::shared_ptr<void> host_memory_;
  MemoryBlock block_;
};

}  // namespace backplane
