#include "cpu_layers/tensor_handle.hpp"

namespace backplane {
namespace cpu_layers {
namespace {

MemoryView DescribeDense(const TensorInfo& info) {
  MemoryView view;
  view.source = MemorySource::kMalloc;
  view.size_bytes = info.GetSizeBytes();
  view.data_type = info.data_type;
  view.rank = info.shape.rank;
  std::int64_t stride = GetDataTypeSizeBytes(info.data_type);
  for (std::uint32_t axis = info.shape.rank; axis-- > 0;) {
    view.dims[axis] = info.shape[axis];
    view.strides_bytes[axis] = stride;
    if (info.shape[axis] > 1) stride *= info.shape[axis];
  }
  return view;
}

bool Allows(MemoryAccess given, MemoryAccess wanted) {
  return (static_cast<std::uint32_t>(wanted) & ~static_cast<std::uint32_t>(given)) == 0;
}

// The alignment of an address is its lowest bit.
void Place(MemoryView& view, void* data) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  view.data = data;
  view.alignment_bytes = address & (~address + 1);
}

}  // namespace

TensorHandle::TensorHandle(const TensorInfo& info)
    : bound_(DescribeDense(info)), imported_(bound_) {}

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
