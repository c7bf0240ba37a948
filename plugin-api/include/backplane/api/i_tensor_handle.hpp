#pragma once

#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// One tensor of one working memory. Made by a tensor-handle factory of a backend, or by the core.
/// A workload meets handles of its own backend's factories, and handles of the core that stand for
/// the memory of others; both answer GetMemoryView.
///
/// Threads: one at a time for each handle.
class ITensorHandle {
 public:
  virtual ~ITensorHandle() noexcept(false) = default;

  /// The tensor's memory as it is now; asked by workloads at every run, so it only returns a
  /// pointer.
  /// Ownership: the handle's; valid until the handle is bound, imports, or is destroyed.
  /// Null: when the handle is not bound, or its layout is opaque.
  /// Since: 1.0
  virtual const MemoryView* GetMemoryView() const = 0;

  /// Puts the tensor into a block, at an offset that fits the factory's requirements.
  /// Ownership: the block stays the caller's and stays until the next Bind or the end.
  /// Errors: kInvalidArgument when the tensor does not fit; kUnsupported when the handle manages
  /// its own memory. The handle is then as before.
  /// Since: 1.0
  virtual Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) = 0;

  /// Makes the tensor addressable by the CPU, waiting for the device when it must.
  /// Ownership: the view is valid until Unmap.
  /// Errors: kUnsupported when the factory does not declare map and unmap; kInvalidArgument when
  /// the handle is not bound, or is mapped already.
  /// Since: 1.0
  virtual Status Map(MemoryAccess access, MemoryView* view) = 0;

  /// Ends what Map began.
  /// Errors: kInvalidArgument when the handle is not mapped.
  /// Since: 1.0
  virtual Status Unmap() = 0;

  /// Uses memory from elsewhere as the tensor's, until Unimport.
  /// Ownership: the memory stays the giver's, and stays until Unimport or the end.
  /// Errors: kUnsupported for a source that the factory does not import; kInvalidArgument for a
  /// size, alignment, stride or access that does not fit. The handle is then as before.
  /// Since: 1.0
  virtual Status Import(const MemoryView& memory) = 0;

  /// Returns to the memory bound before.
  /// Errors: kInvalidArgument when nothing is imported.
  /// Since: 1.0
  virtual Status Unimport() = 0;

  /// Describes the tensor's memory to another backend, as memory of the given source.
  /// Ownership: valid until the handle is bound, imports, or is destroyed.
  /// Errors: kUnsupported for a source that the factory does not export.
  /// Since: 1.0
  virtual Status Export(MemorySource source, MemoryView* memory) = 0;
};

}  // namespace backplane
