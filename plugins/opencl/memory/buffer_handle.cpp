#include "memory/buffer_handle.hpp"

#include "cpu_layers/dense_view.hpp"

#include <utility>

namespace backplane {
namespace opencl {

BufferHandle::BufferHandle(std::shared_ptr<DeviceContext> device, const TensorInfo& info,
                           std::uint64_t size_bytes, std::uint64_t alignment_bytes)
    : device_(std::move(device)),
      view_(cpu_layers::DescribeDense(info)),
      size_bytes_(size_bytes),
      alignment_bytes_(alignment_bytes) {}

Status BufferHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  const bool fits =
      offset_bytes <= block.size_bytes && size_bytes_ <= block.size_bytes - offset_bytes;
  if (block.token == 0 || !fits || offset_bytes % alignment_bytes_ != 0 || is_mapped_) {
    return Status::kInvalidArgument;
  }
  place_ = {reinterpret_cast<cl_mem>(static_cast<std::uintptr_t>(block.token)), offset_bytes,
            false};
  return Status::kSuccess;
}

}  // namespace opencl
}  // namespace backplane
