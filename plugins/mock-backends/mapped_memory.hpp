#pragma once

/// A kind of tensor memory whose tensors allocate for themselves, and call a function of their
/// backend when they are mapped to be read.

#include <backplane/api/i_tensor_handle_factory.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane::mock {

/// Gets the tensor's first element.
using WhenMapped = void (*)(float first);

class MappedHandle final : public ITensorHandle {
 public:
  MappedHandle(const TensorInfo& info, WhenMapped when_mapped)
      : elements_(static_cast<std::size_t>(info.shape.GetNumElements())),
        when_mapped_(when_mapped) {
    view_.data = elements_.data();
    view_.source = MemorySource::kMalloc;
    view_.size_bytes = elements_.size() * sizeof(float);
    view_.alignment_bytes = alignof(float);
    view_.data_type = info.data_type;
    view_.rank = info.shape.rank;
    std::int64_t stride = sizeof(float);
    for (std::uint32_t axis = view_.rank; axis-- > 0;) {
      view_.dims[axis] = info.shape.dims[axis];
      view_.strides_bytes[axis] = stride;
      stride *= info.shape.dims[axis];
    }
  }

  const MemoryView* GetMemoryView() const override { return &view_; }

  Status Map(MemoryAccess access, MemoryView* view) override {
    if (access == MemoryAccess::kRead && !elements_.empty()) when_mapped_(elements_.front());
    *view = view_;
    view->access = access;
    return Status::kSuccess;
  }
  Status Unmap() override { return Status::kSuccess; }

  Status Bind(const MemoryBlock& /*block*/, std::uint64_t /*offset_bytes*/) override {
    return Status::kUnsupported;
  }
  Status Import(const MemoryView& /*memory*/) override { return Status::kUnsupported; }
  Status Unimport() override { return Status::kUnsupported; }
  Status Export(MemorySource /*source*/, MemoryView* /*memory*/) override {
    return Status::kUnsupported;
  }

 private:
  std::vector<float> elements_;
  const WhenMapped when_mapped_;
  MemoryView view_;
};

class MappedMemory final : public ITensorHandleFactory {
 public:
  /// `id` has static storage.
  MappedMemory(const char* id, WhenMapped when_mapped) : id_(id), when_mapped_(when_mapped) {}

  const char* GetId() const override { return id_; }

  Status GetProperties(TensorHandleFactoryProperties* properties) const override {
    properties->supports_map_unmap = 1;
    properties->owns_memory = 1;
    return Status::kSuccess;
  }

  MemoryRequirements GetRequirements(const TensorRequirementsArgs& args) const override {
    MemoryRequirements requirements;
    requirements.size_bytes = args.info->GetSizeBytes();
    requirements.alignment_bytes = alignof(float);
    return requirements;
  }

  std::unique_ptr<ITensorHandle> CreateTensorHandle(const TensorHandleArgs& args) const override {
    return std::make_unique<MappedHandle>(*args.info, when_mapped_);
  }

  std::unique_ptr<ITensorHandle> CreateSubTensorHandle(
      const SubTensorHandleArgs& /*args*/) const override {
    return nullptr;
  }

 private:
  const char* const id_;
  const WhenMapped when_mapped_;
};

}  // namespace backplane::mock
