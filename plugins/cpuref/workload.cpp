#include "workload.hpp"

#include "scratch_memory.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace backplane {
namespace cpuref {
namespace {

/// Both kinds of descriptors become readable when the work has finished.
Status WaitForDescriptor(std::int32_t descriptor) {
  pollfd request{descriptor, POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&request, 1, -1);
  } while (ready < 0 && errno == EINTR);
  return ready == 1 && (request.revents & POLLIN) != 0 ? Status::kSuccess : Status::kFailure;
}

Status WaitForFence(const FenceView& fence) {
  switch (fence.kind) {
    case FenceKind::kNone:
      return Status::kSuccess;
    case FenceKind::kSyncFile:
    case FenceKind::kEventFd:
      return WaitForDescriptor(fence.file_descriptor);
    case FenceKind::kOpaque:
      break;
  }
  return Status::kUnsupported;
}

Status WaitForFences(const FenceView* fences, std::uint32_t count) {
  for (std::uint32_t index = 0; index < count; ++index) {
    const Status status = WaitForFence(fences[index]);
    if (status != Status::kSuccess) return status;
  }
  return Status::kSuccess;
}

/// Kernels read and write elements one after the other. The extents are the view's own: a tensor
/// may be looked at under another shape than the layer's.
bool IsDense(const MemoryView& view, std::uint64_t element_size_bytes) {
  std::int64_t stride = static_cast<std::int64_t>(element_size_bytes);
  for (std::uint32_t axis = view.rank; axis-- > 0;) {
    if (view.dims[axis] > 1 && view.strides_bytes[axis] != stride) return false;
    stride *= view.dims[axis];
  }
  return true;
}

}  // namespace

Workload::Workload(const Layer& layer, std::unique_ptr<const Kernel> kernel)
    : kernel_(std::move(kernel)),
      scratch_bytes_(kernel_->GetScratchBytes()),
      inputs_(GetSizes(layer.inputs, layer.num_inputs)),
      outputs_(GetSizes(layer.outputs, layer.num_outputs)),
      has_elements_(std::any_of(outputs_.begin(), outputs_.end(),
                                [](const TensorSize& size) { return size.size_bytes > 0; })) {}

Status Workload::Execute(const ExecuteArgs& args) const {
  if (!AreUsable(args.inputs, args.num_inputs, inputs_) ||
      !AreUsable(args.outputs, args.num_outputs, outputs_)) {
    return Status::kInvalidArgument;
  }
  const auto* scratch = static_cast<const ScratchMemory*>(args.state);
  if (scratch_bytes_ > (scratch == nullptr ? 0 : scratch->GetSizeBytes())) {
    return Status::kInvalidArgument;
  }
  const Status status = WaitForFences(args.wait_fences, args.num_wait_fences);
  if (status != Status::kSuccess) return status;
  if (has_elements_) {
    kernel_->Run(RunTensors(args, scratch == nullptr ? nullptr : scratch->GetData()));
  }
  return Status::kSuccess;
}

std::vector<Workload::TensorSize> Workload::GetSizes(const TensorInfo* const* infos,
                                                     std::uint32_t count) {
  std::vector<TensorSize> sizes;
  sizes.reserve(count);
  for (std::uint32_t index = 0; index < count; ++index) {
    sizes.push_back({infos[index]->GetSizeBytes(), GetDataTypeSizeBytes(infos[index]->data_type)});
  }
  return sizes;
}

bool Workload::IsUsable(ITensorHandle* handle, const TensorSize& size) {
  if (handle == nullptr) return false;
  if (size.size_bytes == 0) return true;
  const MemoryView* view = handle->GetMemoryView();
  return view != nullptr && view->data != nullptr && view->size_bytes >= size.size_bytes &&
         reinterpret_cast<std::uintptr_t>(view->data) % size.element_size_bytes == 0 &&
         IsDense(*view, size.element_size_bytes);
}

bool Workload::AreUsable(ITensorHandle* const* handles, std::uint32_t count,
                         const std::vector<TensorSize>& sizes) {
  if (count != sizes.size()) return false;
  for (std::uint32_t index = 0; index < count; ++index) {
    if (!IsUsable(handles[index], sizes[index])) return false;
  }
  return true;
}

}  // namespace cpuref
}  // namespace backplane
