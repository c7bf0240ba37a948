#pragma once

/// The memory side of the complete mock: a memory manager, tensor handles and their factory, all
/// over plain memory of the CPU.

#include "watched.hpp"

#include <cstdlib>
#include <memory>

namespace complete_mock {

constexpr char kFactoryId[] = "Mock/Complete/Plain";

inline backplane::Status AllocatePlain(std::uint64_t size_bytes, std::uint64_t alignment_bytes,
                                       backplane::MemoryBlock* block) {
  backplane::MemoryBlock allocated;
  // aligned_alloc wants a size that is a multiple; one that is absurd stays so.
  const std::uint64_t missing_bytes =
      (alignment_bytes - size_bytes % alignment_bytes) % alignment_bytes;
  allocated.data = std::aligned_alloc(alignment_bytes, size_bytes + missing_bytes);
  if (allocated.data == nullptr) return backplane::Status::kOutOfMemory;
  allocated.source = backplane::MemorySource::kMalloc;
  allocated.size_bytes = size_bytes;
  *block = allocated;
  return backplane::Status::kSuccess;
}

class MemoryManager final : public Watched<backplane::IMemoryManager> {
 public:
  backplane::Status Acquire(const backplane::MemoryRequirements& requirements,
                            backplane::MemoryBlock* block) override {
    Pass("IMemoryManager::Acquire");
    return AllocatePlain(requirements.size_bytes, requirements.alignment_bytes, block);
  }
  void Release(const backplane::MemoryBlock& block) override {
    std::free(block.data);  // whether the call throws or not: a leak would be the mock's own
    Pass("IMemoryManager::Release");
  }
};

/// A tensor that lies dense where it was last bound or imported.
class TensorHandle final : public Watched<backplane::ITensorHandle> {
 public:
  explicit TensorHandle(const backplane::TensorInfo& info) {
    bound_.source = backplane::MemorySource::kMalloc;
    bound_.size_bytes = info.GetSizeBytes();
    bound_.data_type = info.data_type;
    bound_.rank = info.shape.rank;
    std::int64_t stride = backplane::GetDataTypeSizeBytes(info.data_type);
    for (std::uint32_t axis = info.shape.rank; axis-- > 0;) {
      bound_.dims[axis] = info.shape[axis];
      bound_.strides_bytes[axis] = stride;
      stride *= info.shape[axis];
    }
  }

  const backplane::MemoryView* GetMemoryView() const override {
    Pass("ITensorHandle::GetMemoryView");
    const backplane::MemoryView& view = is_imported_ ? imported_ : bound_;
    return view.data != nullptr ? &view : nullptr;
  }

  backplane::Status Bind(const backplane::MemoryBlock& block, std::uint64_t offset_bytes) override {
    Pass("ITensorHandle::Bind");
    if (block.data == nullptr || offset_bytes > block.size_bytes ||
        bound_.size_bytes > block.size_bytes - offset_bytes) {
      return backplane::Status::kInvalidArgument;
    }
    bound_.data = static_cast<unsigned char*>(block.data) + offset_bytes;
    bound_.offset_bytes = offset_bytes;
    return backplane::Status::kSuccess;
  }

  backplane::Status Map(backplane::MemoryAccess /*access*/, backplane::MemoryView* view) override {
    Pass("ITensorHandle::Map");
    if (is_mapped_) return backplane::Status::kInvalidArgument;
    const backplane::Status status = Show(view);
    is_mapped_ = status == backplane::Status::kSuccess;
    return status;
  }
  backplane::Status Unmap() override {
    Pass("ITensorHandle::Unmap");
    if (!is_mapped_) return backplane::Status::kInvalidArgument;
    is_mapped_ = false;
    return backplane::Status::kSuccess;
  }

  backplane::Status Import(const backplane::MemoryView& memory) override {
    Pass("ITensorHandle::Import");
    if (memory.source != backplane::MemorySource::kMalloc) return backplane::Status::kUnsupported;
    if (memory.size_bytes != bound_.size_bytes) return backplane::Status::kInvalidArgument;
    imported_ = memory;
    is_imported_ = true;
    return backplane::Status::kSuccess;
  }
  backplane::Status Unimport() override {
    Pass("ITensorHandle::Unimport");
    if (!is_imported_) return backplane::Status::kInvalidArgument;
    is_imported_ = false;
    return backplane::Status::kSuccess;
  }

  backplane::Status Export(backplane::MemorySource source, backplane::MemoryView* memory) override {
    Pass("ITensorHandle::Export");
    if (source != backplane::MemorySource::kMalloc) return backplane::Status::kUnsupported;
    return Show(memory);
  }

 private:
  backplane::Status Show(backplane::MemoryView* view) const {
    if (GetMemoryView() == nullptr) return backplane::Status::kInvalidArgument;
    *view = *GetMemoryView();
    return backplane::Status::kSuccess;
  }

  backplane::MemoryView bound_;
  backplane::MemoryView imported_;
  bool is_imported_ = false;
  bool is_mapped_ = false;
};

class TensorHandleFactory final : public Watched<backplane::ITensorHandleFactory> {
 public:
  const char* GetId() const override {
    Pass("ITensorHandleFactory::GetId");
    return kFactoryId;
  }

  backplane::Status GetProperties(
      backplane::TensorHandleFactoryProperties* properties) const override {
    Pass("ITensorHandleFactory::GetProperties");
    properties->supports_map_unmap = 1;
    properties->import_sources = backplane::ToFlags(backplane::MemorySource::kMalloc);
    properties->export_sources = backplane::ToFlags(backplane::MemorySource::kMalloc);
    return backplane::Status::kSuccess;
  }

  backplane::MemoryRequirements GetRequirements(
      const backplane::TensorRequirementsArgs& args) const override {
    Pass("ITensorHandleFactory::GetRequirements");
    return {args.info->GetSizeBytes(), alignof(std::max_align_t), {}};
  }

  std::unique_ptr<backplane::ITensorHandle> CreateTensorHandle(
      const backplane::TensorHandleArgs& args) const override {
    Pass("ITensorHandleFactory::CreateTensorHandle");
    return std::make_unique<TensorHandle>(*args.info);
  }

  std::unique_ptr<backplane::ITensorHandle> CreateSubTensorHandle(
      const backplane::SubTensorHandleArgs& /*args*/) const override {
    Pass("ITensorHandleFactory::CreateSubTensorHandle");
    return nullptr;
  }
};

}  // namespace complete_mock
