#pragma once

#include "cpu_layers/tensor_handle.hpp"

#include <backplane/api/i_tensor_handle_factory.hpp>

#include <memory>

namespace backplane {
namespace cpu_layers {

/// Whether workloads of the backend copy between these tensors and those of its other factories.
enum class BackendCopies { kNone, kPossible };

/// Dense tensors in memory of the CPU, whoever allocated it.
class TensorHandleFactory final : public ITensorHandleFactory {
 public:
  /// Ownership: the id is static storage of the backend.
  explicit TensorHandleFactory(const char* id, BackendCopies copies = BackendCopies::kNone)
      : id_(id), copies_(copies) {}
  ~TensorHandleFactory() noexcept override = default;

  const char* GetId() const override { return id_; }

  Status GetProperties(TensorHandleFactoryProperties* properties) const override {
    properties->supports_map_unmap = 1;
    properties->supports_in_place = 1;
    properties->import_sources = ToFlags(MemorySource::kMalloc);
    properties->export_sources = ToFlags(MemorySource::kMalloc);
    properties->copies_within_backend = copies_ == BackendCopies::kPossible ? 1 : 0;
    return Status::kSuccess;
  }

  /// Kernels want elements aligned, and nothing more.
  MemoryRequirements GetRequirements(const TensorRequirementsArgs& args) const override {
    MemoryRequirements requirements;
    requirements.size_bytes = args.info->GetSizeBytes();
    requirements.alignment_bytes = GetDataTypeSizeBytes(args.info->data_type);
    return requirements;
  }

  std::unique_ptr<ITensorHandle> CreateTensorHandle(const TensorHandleArgs& args) const override {
    return std::make_unique<TensorHandle>(*args.info);
  }

  /// Kernels read and write dense tensors only. Parts that are dense need no handle of this kind.
  std::unique_ptr<ITensorHandle> CreateSubTensorHandle(
      const SubTensorHandleArgs& /*args*/) const override {
    return nullptr;
  }

 private:
  const char* id_;
  BackendCopies copies_;
};

}  // namespace cpu_layers
}  // namespace backplane
