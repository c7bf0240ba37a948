#pragma once

#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>

namespace backplane {

/// Allocates the block in which the tensors of one working memory lie. Made before the workload
/// factory and given to it. The core plans where in the block each tensor lies. When the tensors of
/// a network are shared by several backends, they lie in memory of the CPU that the core allocates.
///
/// Threads: one call at a time; calls may come from different threads.
class IMemoryManager {
 public:
  virtual ~IMemoryManager() noexcept(false) = default;

  /// Allocates one block for one working memory, before its first run.
  /// Ownership: the block belongs to the caller, who gives it back with Release.
  /// Errors: kOutOfMemory; the block is untouched.
  /// Since: 1.0
  virtual Status Acquire(const MemoryRequirements& requirements, MemoryBlock* block) = 0;

  /// Gives a block back, when its working memory is destroyed; no run uses it any more. It cannot
  /// fail: what goes wrong is for the backend's log.
  /// Since: 1.0
  virtual void Release(const MemoryBlock& block) = 0;
};

}  // namespace backplane
