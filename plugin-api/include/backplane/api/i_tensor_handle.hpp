#pragma once

#include <backplane/api/crossing.hpp>
#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// One tensor of one working memory. Made by a tensor-handle factory of a backend, or by the core.
/// A workload meets handles of its own backend's factories, which WorkloadArgs names, and handles
/// of the core that stand for constants and for the memory of others. Those answer GetMemoryView.
///
/// [one at a time] holds for each handle by itself.
class ITensorHandle {
 public:
  virtual ~ITensorHandle() noexcept(false) = default;

  c_form::HandleOrigin crossing;  // what the headers keep of the boundary

  /// The tensor's memory as it is now; asked by workloads at every run, so it only returns a
  /// pointer.
  /// Ownership: the handle's; valid until the handle is bound, imports, or is destroyed.
  /// Null: when the handle is not bound. Also when its layout is opaque, unless other backends list
  /// its factory in their preferences: the view then says where the bytes are, and its layout is
  /// kOpaque.
  /// Conformance: BC0415, BC0429.
  /// [one at a time] Since: 1.0
  virtual const MemoryView* GetMemoryView() const = 0;

  /// Puts the tensor into a block, at an offset that fits the factory's requirements.
  /// Ownership: the block stays the caller's and stays until the next Bind or the end.
  /// Errors: kInvalidArgument when the tensor does not fit; kUnsupported when the handle manages
  /// its own memory. The handle is then as before.
  /// Conformance: BC0415 to BC0417.
  /// [one at a time] Since: 1.0
  virtual Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) = 0;

  /// Makes the tensor addressable by the CPU. What is mapped to be written is seen by the backend's
  /// workloads after Unmap. Work that writes the tensor has finished before.
  /// Ownership: the view is valid until Unmap.
  /// Errors: kUnsupported when the factory does not declare map and unmap; kInvalidArgument when
  /// the handle is not bound, or is mapped already.
  /// Conformance: BC0418.
  /// [one at a time] [after Bind] Since: 1.0
  virtual Status Map(MemoryAccess access, MemoryView* view) = 0;

  /// Ends what Map began.
  /// Errors: kInvalidArgument when the handle is not mapped.
  /// Conformance: BC0418.
  /// [one at a time] [after Map] Since: 1.0
  virtual Status Unmap() = 0;

  /// Uses memory from elsewhere as the tensor's, until Unimport or another Import. The core has
  /// checked the view: its type and dims are the tensor's, its source is one that the factory
  /// imports, its size and alignment are the largest that GetRequirements gave for the tensor, as
  /// for memory to which it is bound, and a file is large enough. The memory is the host's but
  /// while a workload uses the tensor: what a workload has written can be read there when it has
  /// finished. Ownership: the memory stays the giver's, and stays until Unimport or the end.
  /// Errors: kUnsupported for a source that the factory does not import; kInvalidArgument for a
  /// size, alignment, stride or access that does not fit. The handle is then as before.
  /// Conformance: BC0419, BC0420.
  /// [one at a time] Since: 1.0
  virtual Status Import(const MemoryView& memory) = 0;

  /// Returns to the memory bound before.
  /// Errors: kInvalidArgument when nothing is imported.
  /// Conformance: BC0419.
  /// [one at a time] [after Import] Since: 1.0
  virtual Status Unimport() = 0;

  /// Describes the tensor's memory to another backend, as memory of the given source. Work that
  /// writes the tensor has finished when the other backend reads it, or a fence says when.
  /// Ownership: valid until the handle is bound, imports, or is destroyed.
  /// Errors: kUnsupported for a source that the factory does not export.
  /// Conformance: BC0421.
  /// [one at a time] [after Bind] Since: 1.0
  virtual Status Export(MemorySource source, MemoryView* memory) = 0;
};

}  // namespace backplane
