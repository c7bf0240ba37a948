#include "tensors/host_tensor_handle.hpp"

#include "tensors/tensor_size.hpp"

#include <algorithm>

namespace backplane {

namespace {

std::uint64_t GetAlignment(std::uint64_t place) {
  if (place == 0) return kTensorAlignmentBytes;
  return std::min<std::uint64_t>(place & (~place + 1), kTensorAlignmentBytes);
}

}  // namespace

HostTensorHandle::HostTensorHandle(const TensorInfo& info, MemoryAccess access) {
  view_.source = MemorySource::kMalloc;
  view_.size_bytes = info.GetSizeBytes();
  view_.access = access;
  view_.data_type = info.data_type;
  view_.rank = info.shape.rank;
  std::int64_t stride = GetDataTypeSizeBytes(info.data_type);
  for (std::uint32_t axis = info.shape.rank; axis-- > 0;) {
    view_.dims[axis] = info.shape[axis];
    view_.strides_bytes[axis] = stride;
    // Extents of 0 count as 1, so that strides stay positive and within what was checked.
    stride *= std::max<std::int64_t>(info.shape[axis], 1);
  }
}

Status HostTensorHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  const bool has_memory = block.data != nullptr || block.file_descriptor >= 0;
  if (!has_memory || offset_bytes > block.size_bytes ||
      view_.size_bytes > block.size_bytes - offset_bytes) {
    return Status::kInvalidArgument;
  }
  // A file begins at a page, so an offset in it is aligned as an address is.
  const std::uint64_t place = reinterpret_cast<std::uintptr_t>(block.data) + offset_bytes;
  if (place % GetDataTypeSizeBytes(view_.data_type) != 0) return Status::kInvalidArgument;
  view_.data =
      block.data != nullptr ? static_cast<unsigned char*>(block.data) + offset_bytes : nullptr;
  view_.file_descriptor = block.file_descriptor;
  view_.offset_bytes = offset_bytes;
  view_.source = block.source != MemorySource::kUndefined ? block.source : MemorySource::kMalloc;
  view_.alignment_bytes = GetAlignment(place);
  is_bound_ = true;
  return Status::kSuccess;
}

Status HostTensorHandle::Map(MemoryAccess access, MemoryView* view) {
  const auto wanted = static_cast<std::uint32_t>(access);
  const auto allowed = static_cast<std::uint32_t>(view_.access);
  if (!is_bound_ || view == nullptr || (wanted & ~allowed) != 0) return Status::kInvalidArgument;
  if (view_.data == nullptr) return Status::kUnsupported;
  *view = view_;
  return Status::kSuccess;
}

Status HostTensorHandle::Import(const MemoryView& /*memory*/) {
  return Status::kUnsupported;
}

Status HostTensorHandle::Export(MemorySource source, MemoryView* memory) {
  if (source != MemorySource::kMalloc) return Status::kUnsupported;
  if (!is_bound_ || memory == nullptr) return Status::kInvalidArgument;
  if (view_.data == nullptr) return Status::kUnsupported;
  *memory = view_;
  return Status::kSuccess;
}

}  // namespace backplane
