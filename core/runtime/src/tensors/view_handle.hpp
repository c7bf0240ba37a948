#pragma once

#include <backplane/api/i_tensor_handle.hpp>

namespace backplane {

/// Memory that the core reached for the time of one call, as a handle.
class ViewHandle final : public ITensorHandle {
 public:
  explicit ViewHandle(const MemoryView& view) : view_(view) {}
  ~ViewHandle() noexcept override = default;

  const MemoryView* GetMemoryView() const override { return &view_; }
  Status Bind(const MemoryBlock& /*block*/, std::uint64_t /*offset_bytes*/) override {
    return Status::kUnsupported;
  }
  Status Map(MemoryAccess /*access*/, MemoryView* /*view*/) override {
    return Status::kUnsupported;
  }
  Status Unmap() override { return Status::kUnsupported; }
  Status Import(const MemoryView& /*memory*/) override { return Status::kUnsupported; }
  Status Unimport() override { return Status::kUnsupported; }
  Status Export(MemorySource /*source*/, MemoryView* /*memory*/) override {
    return Status::kUnsupported;
  }

 private:
  MemoryView view_;
};

}  // namespace backplane
