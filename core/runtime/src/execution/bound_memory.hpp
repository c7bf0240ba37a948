#pragma once

#include "execution/binding_plan.hpp"

#include <backplane/api/i_tensor_handle.hpp>

#include <cstddef>
#include <vector>

namespace backplane {

/// One input or output in one working memory: its handle and those that lie with it.
///
/// Threads: one at a time.
class BoundMemory {
 public:
  /// Borrows all. `members` are the handles that are told of other memory, `views` describe each of
  /// them, with its place inside the whole as offset.
  BoundMemory(const PlannedBinding& plan, ITensorHandle& handle, const TensorInfo& info,
              std::vector<ITensorHandle*> members, std::vector<MemoryView> views);

  /// Why memory at this address cannot be imported; kNone when it can.
  CopyReason CheckAddress(const void* data) const;

  /// Uses memory of the application until Release. All members import it, or none does.
  /// Errors: false when a handle refuses.
  bool Import(void* data);

  /// Returns to the memory of the plan, when memory was imported.
  void Release();

  bool IsImported() const { return num_imported_ != 0; }
  /// The tensor as the core reaches it.
  const ITensorHandle& GetHandle() const { return handle_; }

  /// Copies dense bytes into or out of the tensor by mapping it.
  /// Errors: what the handle answers.
  Status CopyIn(const void* data);
  Status CopyOut(void* data);

  const PlannedBinding& GetPlan() const { return plan_; }
  std::uint64_t GetSizeBytes() const { return dense_.size_bytes; }

 private:
  const PlannedBinding& plan_;
  ITensorHandle& handle_;
  std::vector<ITensorHandle*> members_;
  std::vector<MemoryView> views_;
  MemoryView dense_;  // of the tensor, in memory of the application
  std::size_t num_imported_ = 0;
};

}  // namespace backplane
