#include "memory/buffer_handle.hpp"

#include <utility>

namespace backplane {
namespace opencl {
namespace {

MemoryView DescribeDense(const TensorInfo& info) {
  MemoryView view;
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

}  // namespace

BufferHandle::BufferHandle(std::shared_ptr<DeviceContext> device, const TensorInfo& info,
                           std::uint64_t size_bytes, std::uint64_t alignment_bytes)
    : device_(std::move(device)),
      view_(DescribeDense(info)),
      size_bytes_(size_bytes),
      alignment_bytes_(alignment_bytes) {}

Status BufferHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  const bool fits =
      offset_bytes <= block.size_bytes && size_bytes_ <= block.size_bytes - offset_bytes;
  if (block.token == 0 || !fits || offset_bytes % alignment_bytes_ != 0 || is_mapped_) {
    return Status::kInvalidArgument;
  }
  bound_ = {reinterpret_cast<cl_mem>(static_cast<std::uintptr_t>(block.token)), offset_bytes,
            false};
  if (!place_.is_imported) place_ = bound_;
  return Status::kSuccess;
}

}  // namespace opencl
}  // namespace backplane
