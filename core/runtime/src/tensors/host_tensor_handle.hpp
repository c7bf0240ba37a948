#pragma once

#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/tensor_info.hpp>

namespace backplane {

/// The core's own handle: a dense tensor, bound to a block. In a block without an address it is
/// known by file descriptor and offset.
class HostTensorHandle final : public ITensorHandle {
 public:
  /// `access` is kRead for constants.
  HostTensorHandle(const TensorInfo& info, MemoryAccess access);
  ~HostTensorHandle() noexcept override = default;

  const MemoryView* GetMemoryView() const override { return is_bound_ ? &view_ : nullptr; }
  /// Errors: as the interface says; also kInvalidArgument for a block without address and file
  /// descriptor, and for a place that is not a multiple of the size of an element.
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;
  /// Errors: kInvalidArgument; kUnsupported for a block without an address.
  Status Map(MemoryAccess access, MemoryView* view) override;
  Status Unmap() override { return Status::kSuccess; }
  Status Import(const MemoryView& memory) override;
  Status Unimport() override { return Status::kUnsupported; }
  Status Export(MemorySource source, MemoryView* memory) override;

 private:
  MemoryView view_;
  bool is_bound_ = false;
};

}  // namespace backplane
