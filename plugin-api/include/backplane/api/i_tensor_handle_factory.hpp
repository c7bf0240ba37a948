#pragma once

#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/memory_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <memory>

namespace backplane {

/// What the tensors of a factory can do. Made by the host, filled by the backend.
struct TensorHandleFactoryProperties {
  std::uint32_t size_bytes = sizeof(TensorHandleFactoryProperties);
  TensorLayout layout = TensorLayout::kKnown;
  std::uint32_t supports_sub_tensors = 0;
  std::uint32_t supports_map_unmap = 0;
  std::uint32_t supports_in_place = 0;
  MemorySourceFlags import_sources = 0;
  MemorySourceFlags export_sources = 0;
  std::uint32_t owns_memory = 0;  // 1: handles allocate for themselves and are never bound
  // What workloads for LayerType::kCopy, made by the backend's workload factory, can do: read
  // tensors of this factory and write memory of these sources, or the opposite. The side that is
  // not of the backend's own is a handle of the core, whose view has the address or the descriptor.
  MemorySourceFlags copy_to_sources = 0;
  MemorySourceFlags copy_from_sources = 0;
  // 1: they copy between this factory and those others of the backend that say 1 here too.
  std::uint32_t copies_within_backend = 0;
  std::uint32_t reserved = 0;
};

/// What a factory is asked to make. Filled by the host.
struct TensorHandleArgs {
  std::uint32_t size_bytes = sizeof(TensorHandleArgs);
  std::uint32_t reserved = 0;
  const TensorInfo* info = nullptr;
};

/// A part of another tensor. Filled by the host.
struct SubTensorHandleArgs {
  std::uint32_t size_bytes = sizeof(SubTensorHandleArgs);
  std::uint32_t reserved = 0;
  ITensorHandle* parent = nullptr;       // made by the same factory; outlives the part
  const TensorInfo* info = nullptr;      // of the part
  const std::int64_t* origin = nullptr;  // one index for each axis of the parent
};

/// A tensor beside a layer. Filled by the host.
struct TensorRequirementsArgs {
  std::uint32_t size_bytes = sizeof(TensorRequirementsArgs);
  LayerType layer_type = LayerType::kUndefined;  // kUndefined: no layer in particular
  const TensorInfo* info = nullptr;
};

/// One kind of tensor memory that a backend offers.
class ITensorHandleFactory {
 public:
  virtual ~ITensorHandleFactory() noexcept(false) = default;

  /// "Vendor/Backend/Factory"; unique in the process. Static storage.
  /// Conformance: BC0411.
  /// [any thread] Since: 1.0
  virtual const char* GetId() const = 0;

  /// Sets the fields of `properties` that the backend knows, one by one; those added later keep the
  /// host's defaults. The same at every call.
  /// Ownership: `properties` is the host's, and holds defaults.
  /// Conformance: BC0411, BC0417 to BC0426.
  /// [any thread] Since: 1.0
  virtual Status GetProperties(TensorHandleFactoryProperties* properties) const = 0;

  /// Bytes and alignment of a tensor, with the padding that the layer beside it wants. The core
  /// asks for each layer of the backend that reads or writes the tensor, and takes the largest
  /// answer. A tensor of known layout that needs just its own bytes is dense; only such tensors are
  /// imported, exported to others, and lie in the same memory as another tensor.
  /// Conformance: BC0413.
  /// [any thread] Since: 1.0
  virtual MemoryRequirements GetRequirements(const TensorRequirementsArgs& args) const = 0;

  /// Makes a handle, not yet bound to memory.
  /// Null: never; throw with a reason instead.
  /// Conformance: BC0423.
  /// [any thread] Since: 1.0
  virtual std::unique_ptr<ITensorHandle> CreateTensorHandle(const TensorHandleArgs& args) const = 0;

  /// Makes a handle for a part of `parent`, which lies where the parent lies, also after that is
  /// bound again or imports. It is never bound itself. Workloads read and write it with the strides
  /// of its view. Asked of parents that are not bound yet.
  /// Null: when this part cannot be addressed inside the parent; the core then copies.
  /// Conformance: BC0422, BC0425.
  /// [any thread] Since: 1.0
  virtual std::unique_ptr<ITensorHandle> CreateSubTensorHandle(
      const SubTensorHandleArgs& args) const = 0;
};

}  // namespace backplane
