#include "cpu_layers/tensor_handle.hpp"

#include "cpu_layers/dense_view.hpp"

namespace backplane {
namespace cpu_layers {
namespace {

MemoryView DescribeMemory(const TensorInfo& info) {
  MemoryView view = DescribeDense(info);
  view.source = MemorySource::kMalloc;
  return view;
}

void Place(MemoryView& view, void* data) {
  view.data = data;
  view.alignment_bytes = GetAlignment(data);
}

}  // namespace

TensorHandle::TensorHandle(const TensorInfo& info)
    : bound_(DescribeMemory(info)), imported_(bound_) {}

Status TensorHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  const bool fits =
      offset_bytes <= block.size_bytes && bound_.size_bytes <= block.size_bytes - offset_bytes;
  if (block.data == nullptr || !fits || is_mapped_) return Status::kInvalidArgument;
  unsigned char* data = static_cast<unsigned char*>(block.data) + offset_bytes;
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  if (address % GetDataTypeSizeBytes(bound_.data_type) != 0) return Status::kInvalidArgument;
  Place(bound_, data);
  is_bound_ = true;
  if (current_ != &imported_) current_ = &bound_;
  return Status::kSuccess;
}

Status TensorHandle::Map(MemoryAccess access, MemoryView* view) {
  if (current_ == nullptr || is_mapped_ || view == nullptr || !Allows(current_->access, access)) {
    return Status::kInvalidArgument;
  }
  is_mapped_ = true;
  *view = *current_;
  return Status::kSuccess;
}

Status TensorHandle::Unmap() {
  if (!is_mapped_) return Status::kInvalidArgument;
  is_mapped_ = false;
  return Status::kSuccess;
}

Status TensorHandle::Import(const MemoryView& memory) {
  if (memory.source != MemorySource::kMalloc) return Status::kUnsupported;
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data);
  const bool has_memory = memory.data != nullptr || bound_.size_bytes == 0;
  if (!has_memory || memory.size_bytes < bound_.size_bytes || is_mapped_ ||
      address % GetDataTypeSizeBytes(bound_.data_type) != 0) {
    return Status::kInvalidArgument;
  }
  Place(imported_, memory.data);
  imported_.access = memory.access;
  current_ = &imported_;
  return Status::kSuccess;
}

Status TensorHandle::Unimport() {
  if (current_ != &imported_ || is_mapped_) return Status::kInvalidArgument;
  current_ = is_bound_ ? &bound_ : nullptr;
  return Status::kSuccess;
}

Status TensorHandle::Export(MemorySource source, MemoryView* memory) {
  if (source != MemorySource::kMalloc) return Status::kUnsupported;
  if (current_ == nullptr || memory == nullptr) return Status::kInvalidArgument;
  *memory = *current_;
  return Status::kSuccess;
}

}  // namespace cpu_layers
}  // namespace backplane
