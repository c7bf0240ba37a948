#pragma once

#include "tensors/mapped_file.hpp"

#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// What the core's own handles import as memory that the CPU addresses.
constexpr MemorySourceFlags kHostImportSources =
    ToFlags(MemorySource::kMalloc) | ToFlags(MemorySource::kFileDescriptor);
/// What they import in protected mode.
constexpr MemorySourceFlags kHostProtectedImportSources = ToFlags(MemorySource::kDmaBufProtected);

/// The core's own handle: a dense tensor, bound to a block or in memory that it imports, bound or
/// not. Without an address it is known by file descriptor and offset.
///
/// A file imported as kFileDescriptor is mapped, and is memory with an address from then on: its
/// descriptor may be closed. A dma-buf is not mapped; its descriptor stays open as long as it is
/// imported.
///
/// While it is mapped, the handle is neither bound nor does it import or return: kInvalidArgument.
class HostTensorHandle final : public ITensorHandle {
 public:
  /// `access` is kRead for constants.
  HostTensorHandle(const TensorInfo& info, MemoryAccess access);
  HostTensorHandle(HostTensorHandle&& other) noexcept = default;
  ~HostTensorHandle() noexcept override = default;

  const MemoryView* GetMemoryView() const override {
    if (is_imported_) return &imported_;
    return is_bound_ ? &bound_ : nullptr;
  }
  /// What is imported stays so.
  /// Errors: as the interface says; also kInvalidArgument for a block without address and file
  /// descriptor, and for a place that is not a multiple of the size of an element.
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;
  /// Errors: kInvalidArgument; kUnsupported for memory without an address.
  Status Map(MemoryAccess access, MemoryView* view) override;
  Status Unmap() override;
  /// The access is what both the memory and the handle allow.
  /// Errors: as the interface says: kInvalidArgument also for strides that are not dense and when
  /// no access is left; kOutOfMemory when a file cannot be mapped.
  Status Import(const MemoryView& memory) override;
  Status Unimport() override;
  /// Gives kMalloc for what has an address, and the source of a block or an import with a file
  /// descriptor.
  Status Export(MemorySource source, MemoryView* memory) override;

 private:
  bool FitsTensor(const MemoryView& memory) const;
  Status ImportAddress(const MemoryView& memory);
  Status ImportMapped(const MemoryView& memory);
  Status ImportDescriptor(const MemoryView& memory);
  void UseImport(void* data, MemorySource source, const MemoryView& memory);

  MemoryAccess access_;
  MemoryView bound_;
  MemoryView imported_;
  MappedFile file_;
  bool is_bound_ = false;
  bool is_imported_ = false;
  bool is_mapped_ = false;
};

}  // namespace backplane
