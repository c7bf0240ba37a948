// Memory that the CPU reaches belongs to the host or to the device, never to both: the host maps it
// to get it, and unmaps it to give it to the device, which is how OpenCL knows what must be written
// back. Where device and CPU share their memory neither copies.

#include "cpu_layers/dense_view.hpp"
#include "library/errors.hpp"
#include "memory/buffer_handle.hpp"

#include <utility>

namespace backplane {
namespace opencl {
namespace {

using cpu_layers::Allows;
using cpu_layers::GetAlignment;

bool MayWrite(MemoryAccess access) {
  return Allows(access, MemoryAccess::kWrite);
}

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

HostVisibleHandle::~HostVisibleHandle() noexcept {
  ReleaseImported();
}

Status HostVisibleHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  const Status status = BufferHandle::Bind(block, offset_bytes);
  if (status == Status::kSuccess && current_ != &imported_view_) current_ = &bound_view_;
  return status;
}

void* HostVisibleHandle::MapBuffer(cl_command_queue queue, const BufferPlace& place,
                                   MemoryAccess access, cl_bool is_blocking) const {
  cl_int error = CL_SUCCESS;
  void* data = GetDevice().GetLibrary().clEnqueueMapBuffer(
      queue, place.buffer, is_blocking, ToMapFlags(access), place.offset_bytes, GetSizeBytes(), 0,
      nullptr, nullptr, &error);
  Check(error, "clEnqueueMapBuffer");
  return data;
}

void HostVisibleHandle::UnmapBuffer(cl_command_queue queue, cl_mem buffer, void* data) const {
  Check(GetDevice().GetLibrary().clEnqueueUnmapMemObject(queue, buffer, data, 0, nullptr, nullptr),
        "clEnqueueUnmapMemObject");
}

Status HostVisibleHandle::Map(MemoryAccess access, MemoryView* view) {
  if (current_ == nullptr || IsMapped() || view == nullptr || !Allows(current_->access, access)) {
    return Status::kInvalidArgument;
  }
  *view = *current_;
  // What was imported is mapped already but while the device works on it.
  if (current_ == &bound_view_ && GetSizeBytes() != 0) {
    mapped_ = MapBuffer(GetDevice().GetHostQueue(), GetBound(), access, CL_TRUE);
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
  const cl_command_queue queue = GetDevice().GetHostQueue();
  UnmapBuffer(queue, GetBound().buffer, data);
  // Other queues, which use it next, know nothing of the order of this one.
  Check(GetDevice().GetLibrary().clFinish(queue), "clFinish");
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
  ReleaseImported();
  imported_view_ = GetDenseView();
  imported_view_.data = memory.data;
  imported_view_.source = MemorySource::kMalloc;
  imported_view_.access = memory.access;
  imported_view_.alignment_bytes = GetAlignment(memory.data);
  if (GetSizeBytes() != 0) {
    const cl_mem_flags access = MayWrite(memory.access) ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
    imported_ = GetDevice().CreateBuffer(access | CL_MEM_USE_HOST_PTR, GetSizeBytes(), memory.data);
  }
  SetPlace({imported_.get(), 0, true});
  GiveToHost(GetDevice().GetHostQueue());
  // Other queues, which use it next, know nothing of the order of this one.
  Check(GetDevice().GetLibrary().clFinish(GetDevice().GetHostQueue()), "clFinish");
  current_ = &imported_view_;
  return Status::kSuccess;
}

void HostVisibleHandle::ReleaseImported() noexcept {
  if (imported_pointer_ != nullptr) {
    // Whatever fails, nobody looks at the buffer any more.
    static_cast<void>(GetDevice().GetLibrary().clEnqueueUnmapMemObject(
        GetDevice().GetHostQueue(), imported_.get(), imported_pointer_, 0, nullptr, nullptr));
    static_cast<void>(GetDevice().GetLibrary().clFinish(GetDevice().GetHostQueue()));
  }
  imported_pointer_ = nullptr;
  imported_.reset();
}

Status HostVisibleHandle::Unimport() {
  if (current_ != &imported_view_ || IsMapped()) return Status::kInvalidArgument;
  ReleaseImported();
  SetPlace(GetBound());
  current_ = IsBound() ? &bound_view_ : nullptr;
  return Status::kSuccess;
}

void HostVisibleHandle::GiveToDevice(cl_command_queue queue) {
  if (imported_pointer_ == nullptr) return;
  UnmapBuffer(queue, imported_.get(), std::exchange(imported_pointer_, nullptr));
}

void HostVisibleHandle::GiveToHost(cl_command_queue queue) {
  if (imported_ == nullptr || imported_pointer_ != nullptr) return;
  // Only the commands behind it in the queue wait; whoever reads waits for the work's end anyway.
  imported_pointer_ = MapBuffer(queue, GetPlace(), imported_view_.access, CL_FALSE);
}

}  // namespace opencl
}  // namespace backplane
