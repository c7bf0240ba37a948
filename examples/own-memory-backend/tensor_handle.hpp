#pragma once

#include <backplane/api/i_tensor_handle_factory.hpp>

#include <cstdint>
#include <memory>

namespace example_own_memory {

constexpr char kFactoryId[] = "Example/OwnMemory/AlignedRows";
constexpr std::uint64_t kRowAlignmentBytes = 64;

/// A tensor whose rows, along the last axis, all begin at a multiple of 64 bytes.
class TensorHandle final : public backplane::ITensorHandle {
 public:
  explicit TensorHandle(const backplane::TensorInfo& info);

  const backplane::MemoryView* GetMemoryView() const override;
  backplane::Status Bind(const backplane::MemoryBlock& block, std::uint64_t offset_bytes) override;
  backplane::Status Map(backplane::MemoryAccess access, backplane::MemoryView* view) override;
  backplane::Status Unmap() override;
  backplane::Status Import(const backplane::MemoryView& memory) override;
  backplane::Status Unimport() override;
  backplane::Status Export(backplane::MemorySource source, backplane::MemoryView* memory) override;

 private:
  backplane::MemoryView view_;  // without an address until it is bound
  bool is_mapped_ = false;
};

/// Makes such tensors, in memory that the core allocates for the CPU.
class TensorHandleFactory final : public backplane::ITensorHandleFactory {
 public:
  const char* GetId() const override { return kFactoryId; }
  backplane::Status GetProperties(
      backplane::TensorHandleFactoryProperties* properties) const override;
  backplane::MemoryRequirements GetRequirements(
      const backplane::TensorRequirementsArgs& args) const override;
  std::unique_ptr<backplane::ITensorHandle> CreateTensorHandle(
      const backplane::TensorHandleArgs& args) const override;
  std::unique_ptr<backplane::ITensorHandle> CreateSubTensorHandle(
      const backplane::SubTensorHandleArgs& args) const override;
};

}  // namespace example_own_memory
