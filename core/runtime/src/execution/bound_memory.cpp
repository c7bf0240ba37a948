#include "execution/bound_memory.hpp"

#include "tensors/copy_tensor.hpp"
#include "tensors/dense_layout.hpp"

#include <backplane/host/shared_memory.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane {

namespace {

// Memory of the CPU that begins here, as far as an address tells its alignment.
void SetAddress(MemoryView& view, void* data) {
  view.data = static_cast<unsigned char*>(data);
  view.source = MemorySource::kMalloc;
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  view.alignment_bytes = address & (~address + 1);
}

Status CopyMapped(ITensorHandle& handle, MemoryAccess access, MemoryView& dense) {
  MemoryView mapped;
  const Status status = handle.Map(access, &mapped);
  if (status != Status::kSuccess) return status;
  if (access == MemoryAccess::kWrite) {
    CopyTensor(dense, mapped);
  } else {
    CopyTensor(mapped, dense);
  }
  return handle.Unmap();
}

}  // namespace

BoundMemory::BoundMemory(const PlannedBinding& plan, ITensorHandle& handle, const TensorInfo& info,
                         std::vector<ITensorHandle*> members, std::vector<MemoryView> views)
    : plan_(plan),
      handle_(handle),
      members_(std::move(members)),
      views_(std::move(views)),
      dense_(MakeDenseView(info)) {
  for (MemoryView& view : views_) view.access = plan.access;
}

CopyReason BoundMemory::CheckAddress(const void* data) const {
  if (plan_.reason != CopyReason::kNone) return plan_.reason;
  if ((plan_.import_sources & ToFlags(MemorySource::kMalloc)) == 0) return CopyReason::kNoImport;
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  const std::uint64_t alignment = std::max<std::uint64_t>(plan_.requirements.alignment_bytes, 1);
  if (plan_.must_be_shared && !FindSharedPlace(data, GetSizeBytes())) return CopyReason::kNotShared;
  return address % alignment == 0 ? CopyReason::kNone : CopyReason::kMisaligned;
}

bool BoundMemory::Import(void* data) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    MemoryView view = views_[i];
    SetAddress(view, static_cast<unsigned char*>(data) + view.offset_bytes);
    view.offset_bytes = 0;
    if (members_[i]->Import(view) != Status::kSuccess) {
      Release();
      return false;
    }
    ++num_imported_;
  }
  return true;
}

void BoundMemory::Release() {
  while (num_imported_ > 0) static_cast<void>(members_[--num_imported_]->Unimport());
  is_staged_ = false;
}

bool BoundMemory::Stage() {
  if (!plan_.is_staged || used_ != nullptr) return false;
  if (!staging_) staging_ = AllocateSharedMemory(GetSizeBytes());
  is_staged_ = Import(staging_.get());
  return is_staged_;
}

void BoundMemory::PrepareCopyOut() {
  static_cast<void>(Stage());
}

// Nobody writes through the pointer.
Status BoundMemory::CopyIn(const void* data) {
  if (Stage()) {
    std::memcpy(staging_.get(), data, GetSizeBytes());
    return Status::kSuccess;
  }
  SetAddress(dense_, const_cast<void*>(data));
  return CopyMapped(GetHandle(), MemoryAccess::kWrite, dense_);
}

Status BoundMemory::CopyOut(void* data) {
  if (is_staged_) {
    std::memcpy(data, staging_.get(), GetSizeBytes());
    return Status::kSuccess;
  }
  SetAddress(dense_, data);
  return CopyMapped(GetHandle(), MemoryAccess::kRead, dense_);
}

}  // namespace backplane
