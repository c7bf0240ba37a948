#include "tensor_handle.hpp"

namespace example_own_memory {

using namespace backplane;

namespace {

/// The tensor as it lies, without an address.
MemoryView MakeView(const TensorInfo& info) {
  MemoryView view;
  view.source = MemorySource::kMalloc;
  view.alignment_bytes = kRowAlignmentBytes;
  view.data_type = info.data_type;
  view.rank = info.shape.rank;
  std::uint64_t size_bytes = GetDataTypeSizeBytes(info.data_type);
  for (std::uint32_t axis = view.rank; axis-- > 0;) {
    view.dims[axis] = info.shape[axis];
    view.strides_bytes[axis] = static_cast<std::int64_t>(size_bytes);
    size_bytes *= static_cast<std::uint64_t>(info.shape[axis]);
    if (axis + 1 != view.rank) continue;
    size_bytes = (size_bytes + kRowAlignmentBytes - 1) / kRowAlignmentBytes * kRowAlignmentBytes;
  }
  view.size_bytes = size_bytes;
  return view;
}

}  // namespace

TensorHandle::TensorHandle(const TensorInfo& info) : view_(MakeView(info)) {}

const MemoryView* TensorHandle::GetMemoryView() const {
  return view_.data != nullptr ? &view_ : nullptr;
}

Status TensorHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  const bool fits = block.data != nullptr && offset_bytes % kRowAlignmentBytes == 0 &&
                    offset_bytes <= block.size_bytes &&
                    view_.size_bytes <= block.size_bytes - offset_bytes;
  if (!fits || is_mapped_) return Status::kInvalidArgument;
  view_.data = static_cast<unsigned char*>(block.data) + offset_bytes;
  return Status::kSuccess;
}

Status TensorHandle::Map(MemoryAccess access, MemoryView* view) {
  if (view_.data == nullptr || is_mapped_) return Status::kInvalidArgument;
  *view = view_;
  view->access = access;
  is_mapped_ = true;
  return Status::kSuccess;
}

Status TensorHandle::Unmap() {
  if (!is_mapped_) return Status::kInvalidArgument;
  is_mapped_ = false;
  return Status::kSuccess;
}

// The properties of the factory promise none of these three.
Status TensorHandle::Import(const MemoryView& /*memory*/) {
  return Status::kUnsupported;
}

Status TensorHandle::Unimport() {
  return Status::kInvalidArgument;
}

Status TensorHandle::Export(MemorySource /*source*/, MemoryView* /*memory*/) {
  return Status::kUnsupported;
}

Status TensorHandleFactory::GetProperties(TensorHandleFactoryProperties* properties) const {
  properties->layout = TensorLayout::kKnown;
  properties->supports_map_unmap = 1;
  return Status::kSuccess;
}

MemoryRequirements TensorHandleFactory::GetRequirements(const TensorRequirementsArgs& args) const {
  MemoryRequirements requirements;
  requirements.size_bytes = MakeView(*args.info).size_bytes;
  requirements.alignment_bytes = kRowAlignmentBytes;
  return requirements;
}

std::unique_ptr<ITensorHandle> TensorHandleFactory::CreateTensorHandle(
    const TensorHandleArgs& args) const {
  return std::make_unique<TensorHandle>(*args.info);
}

// Null: parts of a tensor are copied by the core.
std::unique_ptr<ITensorHandle> TensorHandleFactory::CreateSubTensorHandle(
    const SubTensorHandleArgs& /*args*/) const {
  return nullptr;
}

}  // namespace example_own_memory
