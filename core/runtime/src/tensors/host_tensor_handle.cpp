#include "tensors/host_tensor_handle.hpp"

#include "tensors/tensor_size.hpp"

#include <algorithm>

namespace backplane {

namespace {

std::uint64_t GetAddressAlignment(const void* data) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return std::min<std::uint64_t>(address & (~address + 1), kTensorAlignmentBytes);
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
  if (block.data == nullptr || offset_bytes > block.size_bytes ||
      view_.size_bytes > block.size_bytes - offset_bytes) {
    return Status::kInvalidArgument;
  }
  unsigned char* data = static_cast<unsigned char*>(block.data) + offset_bytes;
  const std::uint32_t element_size = GetDataTypeSizeBytes(view_.data_type);
  if (reinterpret_cast<std::uintptr_t>(data) % element_size != 0) return Status::kInvalidArgument;
  view_.data = data;
  view_.alignment_bytes = GetAddressAlignment(data);
  return Status::kSuccess;
}

Status HostTensorHandle::Map(MemoryAccess access, MemoryView* view) {
  const auto wanted = static_cast<std::uint32_t>(access);
  const auto allowed = static_cast<std::uint32_t>(view_.access);
  if (view_.data == nullptr || view == nullptr || (wanted & ~allowed) != 0) {
    return Status::kInvalidArgument;
  }
  *view = view_;
  return Status::kSuccess;
}

Status HostTensorHandle::Import(const MemoryView& /*memory*/) {
  return Status::kUnsupported;
}

Status HostTensorHandle::Export(MemorySource source, MemoryView* memory) {
  if (source != MemorySource::kMalloc) return Status::kUnsupported;
  if (view_.data == nullptr || memory == nullptr) return Status::kInvalidArgument;
  *memory = view_;
  return Status::kSuccess;
}

}  // namespace backplane
