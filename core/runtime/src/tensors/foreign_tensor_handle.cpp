#include "tensors/foreign_tensor_handle.hpp"

#include <backplane/host/logging.hpp>

#include <algorithm>
#include <utility>

namespace backplane {

ForeignTensorHandle::~ForeignTensorHandle() noexcept {
  for (ForeignTensorHandle* const part : parts_) part->parent_ = nullptr;
  if (parent_ == nullptr) return;
  auto& all = parent_->parts_;
  all.erase(std::remove(all.begin(), all.end(), this), all.end());
}

void ForeignTensorHandle::FollowParent(ForeignTensorHandle& parent) {
  parent_ = &parent;
  parent.parts_.push_back(this);
}

void ForeignTensorHandle::ShowAgain() {
  KeepFailure(call_.Show(crossing.shown).failure);
  for (ForeignTensorHandle* const part : parts_) part->ShowAgain();
}

const MemoryView* ForeignTensorHandle::GetMemoryView() const {
  auto result = call_.Get().Call<&ITensorHandle::GetMemoryView>();
  KeepFailure(std::move(result.failure));
  return result.value;
}

Status ForeignTensorHandle::Map(MemoryAccess access, MemoryView* view) {
  return GetStatus(call_.Get().Call<&ITensorHandle::Map>(access, view));
}

Status ForeignTensorHandle::Unmap() {
  return GetStatus(call_.Get().Call<&ITensorHandle::Unmap>());
}

Status ForeignTensorHandle::Import(const MemoryView& memory) {
  if (!is_imported_) KeepHome();
  const Status status = GetStatus(call_.Import(memory));
  if (status != Status::kSuccess) return status;
  is_imported_ = true;
  ShowAgain();
  return status;
}

void ForeignTensorHandle::KeepHome() {
  home_ = crossing.shown;
  if (home_.dims != nullptr) std::copy_n(home_.dims, home_.rank, home_dims_);
  home_.dims = home_dims_;
  for (ForeignTensorHandle* const part : parts_) part->KeepHome();
}

void ForeignTensorHandle::ShowHome() {
  if (home_.strides != nullptr) return ShowAgain();
  crossing.shown = home_;
  for (ForeignTensorHandle* const part : parts_) part->ShowHome();
}

Status ForeignTensorHandle::Unimport() {
  const Status status = GetStatus(call_.Unimport());
  if (status != Status::kSuccess) return status;
  // It lies again where it lay before; nobody asks twice for that.
  if (std::exchange(is_imported_, false)) ShowHome();
  return status;
}

Status ForeignTensorHandle::Export(MemorySource source, MemoryView* memory) {
  return GetStatus(call_.Get().Call<&ITensorHandle::Export>(source, memory));
}

Status ForeignTensorHandle::GetStatus(PluginResult<Status> result) {
  if (!result.WasCalled()) return Status::kUnsupported;
  if (!result.HasFailed()) return result.value;
  KeepFailure(std::move(result.failure));
  return Status::kFailure;
}

void ForeignTensorHandle::KeepFailure(std::unique_ptr<Diagnostic> failure) const {
  if (!failure) return;
  // A handle is asked at every run; one that always throws must not fill the log.
  if (!failure_) Log("tensors", LogLevel::kError, ToText(*failure));
  failure_ = std::move(failure);
}

std::string DescribeOwner(const ITensorHandle& handle) {
  const std::string* owner = FindOwner(handle);
  return owner != nullptr ? "backend \"" + *owner + "\"" : "the core";
}

const std::string* FindOwner(const ITensorHandle& handle) {
  const auto* foreign = dynamic_cast<const ForeignTensorHandle*>(&handle);
  return foreign != nullptr ? &foreign->GetBackendId() : nullptr;
}

const Diagnostic* FindThrown(const ITensorHandle& handle, Status answer) {
  const auto* foreign = dynamic_cast<const ForeignTensorHandle*>(&handle);
  return foreign != nullptr && answer == Status::kFailure ? foreign->GetFailure() : nullptr;
}

}  // namespace backplane
