#pragma once

#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/host/plugin_object.hpp>
#include <backplane/host/workload_call.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane {

/// Stands for a handle of one backend where another one, or the core, uses it: no backend calls
/// another backend's object. What the handle throws is logged once and becomes kFailure, or no
/// view; GetFailure tells it.
class ForeignTensorHandle final : public ITensorHandle {
 public:
  explicit ForeignTensorHandle(PluginObject<ITensorHandle> handle) : call_(std::move(handle)) {}
  ~ForeignTensorHandle() noexcept override;
  ForeignTensorHandle(const ForeignTensorHandle&) = delete;
  ForeignTensorHandle& operator=(const ForeignTensorHandle&) = delete;

  /// Says that this is a part of another, and lies where that lies. The parent outlives this, or
  /// is never bound again.
  void FollowParent(ForeignTensorHandle& parent);
  /// Shows runs where it lies now, with all its parts.
  void ShowAgain();

  const MemoryView* GetMemoryView() const override;
  /// Others never bind a tensor.
  Status Bind(const MemoryBlock& /*block*/, std::uint64_t /*offset_bytes*/) override {
    return Status::kUnsupported;
  }
  Status Map(MemoryAccess access, MemoryView* view) override;
  Status Unmap() override;
  Status Import(const MemoryView& memory) override;
  Status Unimport() override;
  Status Export(MemorySource source, MemoryView* memory) override;

  /// What was thrown last; null when nothing was.
  const Diagnostic* GetFailure() const { return failure_.get(); }
  const std::string& GetBackendId() const { return call_.Get().GetOrigin()->backend_id; }

 private:
  Status GetStatus(PluginResult<Status> result);
  void KeepFailure(std::unique_ptr<Diagnostic> failure) const;
  /// Where it lies, with all its parts, before it imports.
  void KeepHome();
  void ShowHome();

  HandleCall call_;
  bp_view home_{};
  std::int64_t home_dims_[kMaxRank] = {};
  bool is_imported_ = false;
  ForeignTensorHandle* parent_ = nullptr;
  std::vector<ForeignTensorHandle*> parts_;
  mutable std::unique_ptr<Diagnostic> failure_;
};

/// Whose handle it is: `backend "Npu"`, or `the core`. Of handles of the core and those that stand
/// for others, never of a backend's own object.
std::string DescribeOwner(const ITensorHandle& handle);

/// The id of the backend whose handle it is.
/// Null: it is the core's.
const std::string* FindOwner(const ITensorHandle& handle);

/// What the handle threw when it answered so.
/// Null: it threw nothing.
const Diagnostic* FindThrown(const ITensorHandle& handle, Status answer);

}  // namespace backplane
