#pragma once

#include "execution/binding_plan.hpp"
#include "execution/memory_range.hpp"

#include <backplane/api/i_tensor_handle.hpp>

#include <cstddef>
#include <memory>
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

  bool IsImported() const { return num_imported_ != 0 && !is_staged_; }
  /// The tensor as the core reaches it.
  ITensorHandle& GetHandle() const { return used_ != nullptr ? *used_ : handle_; }

  /// Called before a run whose output will be copied out.
  void PrepareCopyOut();

  /// Copies dense bytes into or out of the tensor by mapping it.
  /// Errors: what the handle answers.
  Status CopyIn(const void* data);
  Status CopyOut(void* data);

  /// Lets another handle be mapped for copies; the plan's again, for null.
  void UseHandle(ITensorHandle* handle) { used_ = handle; }

  /// Where the imported tensor lies that a run uses instead; empty when it uses none.
  void SetTaken(const MemoryRange& range) { taken_ = range; }
  const MemoryRange& GetTaken() const { return taken_; }

  std::uint64_t GetSizeBytes() const { return dense_.size_bytes; }

 private:
  bool Stage();

  const PlannedBinding& plan_;
  ITensorHandle& handle_;
  ITensorHandle* used_ = nullptr;
  MemoryRange taken_;
  std::vector<ITensorHandle*> members_;
  std::vector<MemoryView> views_;
  MemoryView dense_;  // of the tensor, in memory of the application
  std::size_t num_imported_ = 0;
  std::shared_ptr<void> staging_;  // memory that is imported in place of what cannot be
  bool is_staged_ = false;         // it is, now
};

}  // namespace backplane
