#pragma once

/// Tensors in buffers of a device.

#include "context/device_context.hpp"
#include "library/library.hpp"

#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace backplane {
namespace opencl {

/// A part of a buffer. Kernels get the buffer and where the tensor begins in it, so that no
/// sub-buffers are made, which would have to be aligned as the device wants it.
struct BufferPlace {
  cl_mem buffer = nullptr;  // null: nowhere
  std::uint64_t offset_bytes = 0;
  bool is_of_run = false;  // the buffer is made for one run of one workload
};

/// What handles of all kinds of this backend have in common: where workloads find the tensor.
class BufferHandle : public ITensorHandle {
 public:
  ~BufferHandle() noexcept override = default;

  /// Where it was bound.
  const BufferPlace& GetPlace() const { return place_; }
  /// Memory of the host that was imported, and is used instead. Null: none was, or it is empty.
  virtual void* GetImported() const { return nullptr; }
  std::uint64_t GetSizeBytes() const { return size_bytes_; }

  /// Errors: kInvalidArgument for a block that is no buffer, or in which the tensor does not fit.
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;

 protected:
  BufferHandle(std::shared_ptr<DeviceContext> device, const TensorInfo& info,
               std::uint64_t size_bytes, std::uint64_t alignment_bytes);

  const DeviceContext& GetDevice() const { return *device_; }
  bool IsMapped() const { return is_mapped_; }
  void SetMapped(bool is_mapped) { is_mapped_ = is_mapped; }
  bool IsBound() const { return place_.buffer != nullptr; }
  /// Dense; without an address.
  const MemoryView& GetDenseView() const { return view_; }

 private:
  std::shared_ptr<DeviceContext> device_;
  MemoryView view_;
  std::uint64_t size_bytes_;  // with padding
  std::uint64_t alignment_bytes_;
  BufferPlace place_;
  bool is_mapped_ = false;
};

/// In memory of the device's own: nobody else sees how it lies.
class DeviceHandle final : public BufferHandle {
 public:
  DeviceHandle(std::shared_ptr<DeviceContext> device, const TensorInfo& info,
               std::uint64_t size_bytes, std::uint64_t alignment_bytes)
      : BufferHandle(std::move(device), info, size_bytes, alignment_bytes) {}
  ~DeviceHandle() noexcept override = default;

  const MemoryView* GetMemoryView() const override { return nullptr; }
  Status Map(MemoryAccess /*access*/, MemoryView* /*view*/) override {
    return Status::kUnsupported;
  }
  Status Unmap() override { return Status::kInvalidArgument; }
  Status Import(const MemoryView& /*memory*/) override { return Status::kUnsupported; }
  Status Unimport() override { return Status::kInvalidArgument; }
  Status Export(MemorySource /*source*/, MemoryView* /*memory*/) override {
    return Status::kUnsupported;
  }
};

/// Dense, where the CPU can map it; or in memory of the CPU that was imported.
class HostVisibleHandle final : public BufferHandle {
 public:
  HostVisibleHandle(std::shared_ptr<DeviceContext> device, const TensorInfo& info,
                    std::uint64_t alignment_bytes);
  ~HostVisibleHandle() noexcept override = default;

  void* GetImported() const override;
  const MemoryView* GetMemoryView() const override { return current_; }
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;
  Status Map(MemoryAccess access, MemoryView* view) override;
  Status Unmap() override;
  Status Import(const MemoryView& memory) override;
  Status Unimport() override;
  Status Export(MemorySource /*source*/, MemoryView* /*memory*/) override {
    return Status::kUnsupported;
  }

 private:
  MemoryView bound_view_;
  MemoryView imported_view_;
  const MemoryView* current_ = nullptr;  // one of the two
  void* mapped_ = nullptr;               // what Map gave
};

}  // namespace opencl
}  // namespace backplane
