#pragma once

#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/tensor_info.hpp>

namespace backplane {
namespace cpu_layers {

/// A dense tensor in memory of the CPU: where it was bound, or in what it imported.
class TensorHandle final : public ITensorHandle {
 public:
  explicit TensorHandle(const TensorInfo& info);
  ~TensorHandle() noexcept override = default;

  const MemoryView* GetMemoryView() const override { return current_; }
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;
  Status Map(MemoryAccess access, MemoryView* view) override;
  Status Unmap() override;
  Status Import(const MemoryView& memory) override;
  Status Unimport() override;
  Status Export(MemorySource source, MemoryView* memory) override;

 private:
  MemoryView bound_;
  MemoryView imported_;
  const MemoryView* current_ = nullptr;  // one of the two
  bool is_bound_ = false;
  bool is_mapped_ = false;
};

}  // namespace cpu_layers
}  // namespace backplane
