#include "isolation/isolated_handle.hpp"

#include <algorithm>
#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;
using wire::Writer;

bool Includes(MemoryAccess access, MemoryAccess part) {
  const auto bits = static_cast<std::uint32_t>(part);
  return (static_cast<std::uint32_t>(access) & bits) == bits;
}

Worker::Areas ToAreas(const std::optional<SharedPlace>& place) {
  return place ? Worker::Areas{place->area} : Worker::Areas();
}

}  // namespace

IsolatedHandle::IsolatedHandle(std::shared_ptr<Worker> worker, std::uint64_t id,
                               const TensorInfo& info, Reply& made)
    : object_(std::move(worker), id), info_(info) {
  view_ = TakeView(GetWorker(), made, info_, view_hold_);
  GetWorker().GetObjects().handles.Add(this);
}

Status IsolatedHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  if (const Status status = Settle(); status != Status::kSuccess) return status;
  std::optional<SharedPlace> place;
  if (block.data != nullptr) {
    place = FindSharedPlace(block.data, block.size_bytes);
    if (!place) return Status::kUnsupported;
  }
  Writer writer;
  writer.Put(GetNumber(), place ? 0 : block.token, place ? place->area->GetId() : 0);
  writer.Put(place ? place->offset_bytes : 0, block.size_bytes, offset_bytes);
  const auto reply = GetWorker().Call(Function::kBindHandle, writer, ToAreas(place));
  const auto status = GetWorker().Take<Status>(*reply);
  view_ = TakeView(GetWorker(), *reply, info_, view_hold_);
  if (status == Status::kSuccess) bound_ = place ? place->area : nullptr;
  return status;
}

Status IsolatedHandle::Map(MemoryAccess access, MemoryView* view) {
  if (const Status status = Settle(); status != Status::kSuccess) return status;
  const auto reply = object_.Call(Function::kMapHandle, access);
  const auto status = GetWorker().Take<Status>(*reply);
  if (status != Status::kSuccess) return status;
  auto mapped = TakeView(GetWorker(), *reply, info_, mapped_hold_);
  if (!mapped) return Status::kFailure;
  mapped_for_ = access;
  is_staged_ = mapped->data == nullptr;
  if (!is_staged_ && !Includes(mapped->access, access)) return Status::kFailure;
  if (is_staged_) {
    // Bytes behind the last element are not copied, even when the backend says that there are some.
    const auto used_bytes = CountUsedBytes(*mapped);
    if (!used_bytes || mapped->layout != TensorLayout::kKnown) return Status::kFailure;
    mapped->size_bytes = staged_bytes_ = *used_bytes;
    if (!staging_ || staging_->GetSizeBytes() < mapped->size_bytes) {
      staging_ = SharedArea::Make(mapped->size_bytes == 0 ? 1 : mapped->size_bytes);
    }
    mapped->data = staging_->GetData();
    mapped->alignment_bytes = LimitAlignment(mapped->alignment_bytes, mapped->data);
    mapped->file_descriptor = -1;
    // Only a part may be written: the rest must stay as it is.
    const Status copied = CopyMapped(true);
    if (copied != Status::kSuccess) return copied;
  }
  *view = *mapped;
  return Status::kSuccess;
}

Status IsolatedHandle::CopyMapped(bool is_read) {
  const Writer body = Writer().Put(GetNumber(), staging_->GetId(), staged_bytes_, is_read);
  return GetWorker().Take<Status>(*GetWorker().Call(Function::kCopyMapped, body, {staging_}));
}

Status IsolatedHandle::Unmap() {
  const bool is_staged = std::exchange(is_staged_, false);
  const bool is_written = Includes(mapped_for_, MemoryAccess::kWrite);
  // The content that was read is here.
  if (!is_written && GetWorker().HasEnded()) return Status::kSuccess;
  if (is_staged && is_written) {
    const Status copied = CopyMapped(false);
    if (copied != Status::kSuccess) return copied;
  }
  return object_.Ask<Status>(Function::kUnmapHandle);
}

bool IsolatedHandle::IsLikeProven(const MemoryView& memory) const {
  return proven_ && proven_->size_bytes == memory.size_bytes &&
         proven_->data_type == memory.data_type && proven_->rank == memory.rank &&
         proven_->access == memory.access && proven_->alignment_bytes <= memory.alignment_bytes &&
         std::equal(memory.dims, memory.dims + memory.rank, proven_->dims) &&
         std::equal(memory.strides_bytes, memory.strides_bytes + memory.rank,
                    proven_->strides_bytes);
}

Status IsolatedHandle::Import(const MemoryView& memory) {
  const bool is_given_by_address = memory.data != nullptr && memory.file_descriptor < 0;
  const auto place =
      is_given_by_address ? FindSharedPlace(memory.data, memory.size_bytes) : std::nullopt;
  if (!place || !IsLikeProven(memory)) return ImportNow(memory, place);
  wanted_ = Imported{*place, memory};
  const bool is_there = remote_ && remote_->view.data == memory.data;
  is_changed_ = !is_there;
  return Status::kSuccess;
}

Status IsolatedHandle::ImportNow(const MemoryView& memory,
                                 const std::optional<SharedPlace>& place) {
  // Memory of this process alone cannot be seen from there.
  if (!place && memory.file_descriptor < 0) return Status::kUnsupported;
  std::vector<int> descriptors;
  if (memory.file_descriptor >= 0) {
    if (!GivesFile(GetWorker(), memory.file_descriptor)) return Status::kUnsupported;
    descriptors.push_back(memory.file_descriptor);
  }
  serving::PlacedView sent{serving::WithoutAddress(memory)};
  if (place) sent.area = place->area->GetId();
  if (place) sent.offset_bytes = place->offset_bytes;
  remote_.reset();
  const auto reply =
      GetWorker().Call(Function::kImportIntoHandle, Writer().Put(GetNumber(), ++version_, sent),
                       ToAreas(place), nullptr, descriptors);
  const auto status = GetWorker().Take<Status>(*reply);
  if (status != Status::kSuccess) return status;
  auto view = TakeView(GetWorker(), *reply, info_, imported_hold_);
  // It is the same memory, which is known here by its address.
  if (view && view->layout == TensorLayout::kKnown && view->data == nullptr) {
    const std::int32_t file = view->file_descriptor;
    view = memory;
    view->file_descriptor = file;
  }
  wanted_ = Imported{place.value_or(SharedPlace()), view ? *view : memory};
  remote_ = wanted_;
  is_changed_ = false;
  if (place) proven_ = memory;
  return Status::kSuccess;
}

Status IsolatedHandle::Unimport() {
  const bool stays = wanted_ && wanted_->place.area;
  wanted_.reset();
  is_changed_ = remote_.has_value();
  return stays ? Status::kSuccess : UnimportNow();
}

Status IsolatedHandle::UnimportNow() {
  remote_.reset();
  is_changed_ = false;
  const auto reply = object_.Call(Function::kUnimportHandle, ++version_);
  const auto status = GetWorker().Take<Status>(*reply);
  view_ = TakeView(GetWorker(), *reply, info_, view_hold_);
  return status;
}

/// Has the other side do at once what the next run would tell it.
Status IsolatedHandle::Settle() {
  if (!is_changed_) return Status::kSuccess;
  if (!wanted_) return UnimportNow();
  const Imported wanted = *wanted_;
  return ImportNow(wanted.view, wanted.place);
}

const IsolatedHandle::Imported* IsolatedHandle::HandOver() {
  if (std::exchange(is_changed_, false)) {
    remote_ = wanted_;
    ++version_;
  }
  return remote_ ? &*remote_ : nullptr;
}

Status IsolatedHandle::Export(MemorySource source, MemoryView* memory) {
  if (const Status status = Settle(); status != Status::kSuccess) return status;
  const auto reply = object_.Call(Function::kExportHandle, source);
  const auto status = GetWorker().Take<Status>(*reply);
  if (status != Status::kSuccess) return status;
  const auto view = TakeView(GetWorker(), *reply, info_, exported_hold_);
  if (!view || (view->data == nullptr && view->file_descriptor < 0)) return Status::kUnsupported;
  *memory = *view;
  return Status::kSuccess;
}

}  // namespace backplane::isolation
