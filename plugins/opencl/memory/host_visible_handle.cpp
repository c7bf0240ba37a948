// Memory that the CPU reaches belongs to the host or to the device, never to both: the host maps it
// to get it, and unmaps it to give it to the device, which is how OpenCL knows what must be written
// back. Memory that was imported is the host's, and becomes a buffer for as long as a workload
// runs.

#include "cpu_layers/dense_view.hpp"
#include "library/errors.hpp"
#include "memory/buffer_handle.hpp"

#include <cstdint>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

using cpu_layers::Allows;
using cpu_layers::GetAlignment;

cl_map_flags ToMapFlags(MemoryAccess access) {
  cl_map_flags flags = 0;
  if (Allows(access, MemoryAccess::kRead)) flags |= CL_MAP_READ;
  if (Allows(access, MemoryAccess::kWrite)) flags |= CL_MAP_WRITE;
  return flags;
}

}  // namespace

HostVisibleHandle::HostVisibleHandle(std::shared_ptr<DeviceContext> device, const TensorInfo& info,
                                     std::uint64_t alignment_bytes)
    : BufferHandle(std::move(device), info, info.GetSizeBytes(), alignment_bytes),
      bound_view_(GetDenseView()) {
  bound_view_.alignment_bytes = alignment_bytes;
}

Status HostVisibleHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  const Status status = BufferHandle::Bind(block, offset_bytes);
  if (status == Status::kSuccess && current_ != &imported_view_) current_ = &bound_view_;
  return status;
}

void* HostVisibleHandle::GetImported() const {
  return current_ == &imported_view_ ? imported_view_.data : nullptr;
}

Status HostVisibleHandle::Map(MemoryAccess access, MemoryView* view) {
  if (current_ == nullptr || IsMapped() || view == nullptr || !Allows(current_->access, access)) {
    return Status::kInvalidArgument;
  }
  *view = *current_;
  if (current_ == &bound_view_ && GetSizeBytes() != 0) {
    cl_int error = CL_SUCCESS;
    mapped_ = GetDevice().GetLibrary().clEnqueueMapBuffer(
        GetDevice().GetHostQueue(), GetPlace().buffer, CL_TRUE, ToMapFlags(access),
        GetPlace().offset_bytes, GetSizeBytes(), 0, nullptr, nullptr, &error);
    Check(error, "clEnqueueMapBuffer");
    view->data = mapped_;
    view->source = MemorySource::kMalloc;
    view->alignment_bytes = GetAlignment(mapped_);
  }
  view->access = access;
  SetMapped(true);
  return Status::kSuccess;
}

Status HostVisibleHandle::Unmap() {
  if (!IsMapped()) return Status::kInvalidArgument;
  SetMapped(false);
  void* data = std::exchange(mapped_, nullptr);
  if (data == nullptr) return Status::kSuccess;
  const Library& library = GetDevice().GetLibrary();
  const cl_command_queue queue = GetDevice().GetHostQueue();
  Check(library.clEnqueueUnmapMemObject(queue, GetPlace().buffer, data, 0, nullptr, nullptr),
        "clEnqueueUnmapMemObject");
  // Other queues, which use it next, know nothing of the order of this one.
  Check(library.clFinish(queue), "clFinish");
  return Status::kSuccess;
}

Status HostVisibleHandle::Import(const MemoryView& memory) {
  if (memory.source != MemorySource::kMalloc || !GetDevice().GetDevice().has_unified_memory) {
    return Status::kUnsupported;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data);
  const bool has_memory = memory.data != nullptr || GetSizeBytes() == 0;
  if (!has_memory || memory.size_bytes < GetSizeBytes() || IsMapped() ||
      address % GetDataTypeSizeBytes(GetDenseView().data_type) != 0) {
    return Status::kInvalidArgument;
  }
  imported_view_ = GetDenseView();
  imported_view_.data = memory.data;
  imported_view_.source = MemorySource::kMalloc;
  imported_view_.access = memory.access;
  imported_view_.alignment_bytes = GetAlignment(memory.data);
  current_ = &imported_view_;
  return Status::kSuccess;
}

Status HostVisibleHandle::Unimport() {
  if (current_ != &imported_view_ || IsMapped()) return Status::kInvalidArgument;
  current_ = IsBound() ? &bound_view_ : nullptr;
  return Status::kSuccess;
}

}  // namespace opencl
}  // namespace backplane
