#pragma once

#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>

namespace backplane {

/// Allocates the block in which tensors of one working memory lie, of the tensor-handle factories
/// with which it is registered; the core plans where in the block each of them lies.
class IMemoryManager {
 public:
  virtual ~IMemoryManager() = default;

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
