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
  bool is_imported = false;  // the host has it mapped but while the device works on it
};

/// What handles of all kinds of this backend have in common: where workloads find the tensor.
class BufferHandle : public ITensorHandle {
 public:
  ~BufferHandle() noexcept override = default;

  const BufferPlace& GetPlace() const { return place_; }
  std::uint64_t GetSizeBytes() const { return size_bytes_; }

  /// Errors: kInvalidArgument for a block that is no buffer, or in which the tensor does not fit.
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;

  /// Lets the commands that follow in the queue use memory that was imported, and gives it back to
  /// the host after those before.
  /// Errors: OpenClError.
  virtual void GiveToDevice(cl_command_queue /*queue*/) {}
  virtual void GiveToHost(cl_command_queue /*queue*/) {}

 protected:
  BufferHandle(std::shared_ptr<DeviceContext> device, const TensorInfo& info,
               std::uint64_t size_bytes, std::uint64_t alignment_bytes);

  const DeviceContext& GetDevice() const { return *device_; }
  bool IsMapped() const { return is_mapped_; }
  void SetMapped(bool is_mapped) { is_mapped_ = is_mapped; }
  bool IsBound() const { return bound_.buffer != nullptr; }
  /// Where it was bound.
  const BufferPlace& GetBound() const { return bound_; }
  void SetPlace(const BufferPlace& place) { place_ = place; }
  /// Dense; without an address.
  const MemoryView& GetDenseView() const { return view_; }

 private:
  std::shared_ptr<DeviceContext> device_;
  MemoryView view_;
  std::uint64_t size_bytes_;  // with padding
  std::uint64_t alignment_bytes_;
  BufferPlace bound_;
  BufferPlace place_;  // bound or imported
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
  ~HostVisibleHandle() noexcept override;

  const MemoryView* GetMemoryView() const override { return current_; }
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;
  Status Map(MemoryAccess access, MemoryView* view) override;
  Status Unmap() override;
  Status Import(const MemoryView& memory) override;
  Status Unimport() override;
  Status Export(MemorySource /*source*/, MemoryView* /*memory*/) override {
    return Status::kUnsupported;
  }

  void GiveToDevice(cl_command_queue queue) override;
  void GiveToHost(cl_command_queue queue) override;

 private:
  /// Waits for the host queue when nothing else does.
  void* MapBuffer(cl_command_queue queue, const BufferPlace& place, MemoryAccess access,
                  cl_bool is_blocking) const;
  void UnmapBuffer(cl_command_queue queue, cl_mem buffer, void* data) const;
  void ReleaseImported() noexcept;

  MemoryView bound_view_;
  MemoryView imported_view_;
  const MemoryView* current_ = nullptr;  // one of the two
  Owned<cl_mem> imported_;
  void* mapped_ = nullptr;            // what Map gave
  void* imported_pointer_ = nullptr;  // while the host has it
};

}  // namespace opencl
}  // namespace backplane
