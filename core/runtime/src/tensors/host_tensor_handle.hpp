#pragma once

#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/tensor_info.hpp>

namespace backplane {

/// The core's own handle: a dense tensor in memory that the CPU can address, bound to a block.
class HostTensorHandle final : public ITensorHandle {
 public:
  /// `access` is kRead for constants.
  HostTensorHandle(const TensorInfo& info, MemoryAccess access);

  const MemoryView* GetMemoryView() const override {
    return view_.data != nullptr ? &view_ : nullptr;
  }
  /// Errors: as the interface says; also kInvalidArgument for a block without an address, and for
  /// an offset that is not a multiple of the size of an element.
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;
  Status Map(MemoryAccess access, MemoryView* view) override;
  Status Unmap() override { return Status::kSuccess; }
  Status Import(const MemoryView& memory) override;
  Status Unimport() override { return Status::kUnsupported; }
  Status Export(MemorySource source, MemoryView* memory) override;

 private:
  MemoryView view_;
};

}  // namespace backplane
