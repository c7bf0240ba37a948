#pragma once

#include <backplane/api/interface.hpp>
#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>

namespace backplane {

/// Allocates the block in which tensors of one working memory lie; the core plans where in the
/// block each of them lies. One that is registered with tensor-handle factories allocates for their
/// tensors. The one that is made before the workload factory, and given to it, allocates for
/// tensors of the core's own kind, in networks that lie on its backend alone; else the core does.
class BACKPLANE_INTERFACE IMemoryManager {
 public:
  virtual ~IMemoryManager() noexcept(false) = default;

  /// Allocates one block for one working memory, before its first run.
  /// Ownership: the block belongs to the caller, who gives it back with Release.
  /// Errors: kOutOfMemory; the block is untouched.
  /// Conformance: BC0414.
  /// [one at a time] Since: 1.0
  virtual Status Acquire(const MemoryRequirements& requirements, MemoryBlock* block) = 0;

  /// Gives a block back, when its working memory is destroyed; no run uses it any more. It cannot
  /// fail: what goes wrong is for the backend's log.
  /// Conformance: BC0414, BC0704.
  /// [one at a time] [after Acquire] Since: 1.0
  virtual void Release(const MemoryBlock& block) = 0;
};

}  // namespace backplane
