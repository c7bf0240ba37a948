#include "backend/table_handle.hpp"

#include "backend/given.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/api/run_arguments.hpp>

#include <utility>

namespace backplane::backend {

Status TableKind::GetProperties(TensorHandleFactoryProperties* properties) const {
  const auto has = [&](std::uint32_t flag) { return (info_.flags & flag) != 0 ? 1U : 0U; };
  // Storage that nobody knows is told from both.
  properties->layout = info_.storage == BP_STORAGE_PADDED   ? TensorLayout::kKnown
                       : info_.storage == BP_STORAGE_OPAQUE ? TensorLayout::kOpaque
                                                            : TensorLayout{};
  properties->supports_sub_tensors = has(BP_KIND_SUB_TENSORS);
  properties->supports_map_unmap = has(BP_KIND_MAP);
  properties->supports_in_place = has(BP_KIND_IN_PLACE);
  properties->owns_memory = has(BP_KIND_OWNS_MEMORY);
  properties->copies_within_backend = has(BP_KIND_COPIES_WITHIN);
  properties->import_sources = static_cast<MemorySourceFlags>(info_.import_sources);
  properties->export_sources = static_cast<MemorySourceFlags>(info_.export_sources);
  properties->copy_to_sources = static_cast<MemorySourceFlags>(info_.copy_to_sources);
  properties->copy_from_sources = static_cast<MemorySourceFlags>(info_.copy_from_sources);
  return Status::kSuccess;
}

MemoryRequirements TableKind::GetRequirements(const TensorRequirementsArgs& args) const {
  const Instance& instance = *instance_;
  const c_form::CInfo info(*args.info);
  auto asked = c_form::Make<bp_handle_args>();
  asked.layer_type = static_cast<std::uint32_t>(args.layer_type);
  asked.scope = scope_->Get();
  asked.info = info.Get();
  auto answer = c_form::Make<bp_requirements>();
  bp_error error;
  instance.Require("ITensorHandleFactory::GetRequirements",
                   instance->requirements(info_.kind, &asked, &answer, &error), error);
  return c_form::ToRequirements(answer);
}

std::unique_ptr<ITensorHandle> TableKind::CreateTensorHandle(const TensorHandleArgs& args) const {
  return Create(*args.info, nullptr, nullptr, "ITensorHandleFactory::CreateTensorHandle");
}

std::unique_ptr<ITensorHandle> TableKind::CreateSubTensorHandle(
    const SubTensorHandleArgs& args) const {
  return Create(*args.info, args.parent, args.origin,
                "ITensorHandleFactory::CreateSubTensorHandle");
}

std::unique_ptr<ITensorHandle> TableKind::Create(const TensorInfo& tensor, ITensorHandle* parent,
                                                 const std::int64_t* origin,
                                                 const char* function) const {
  const Instance& instance = *instance_;
  const c_form::CInfo info(tensor);
  auto args = c_form::Make<bp_handle_args>();
  args.scope = scope_->Get();
  args.info = info.Get();
  if (parent != nullptr) args.parent = GetRawHandle(*parent);
  args.origin = origin;
  bp_handle* handle = nullptr;
  bp_error error;
  const bp_status status = instance->make_handle(info_.kind, &args, &handle, &error);
  if (parent != nullptr && status == BP_STATUS_UNSUPPORTED) return nullptr;
  instance.Require(function, status, error);
  if (handle == nullptr) return nullptr;
  return std::make_unique<TableHandle>(instance_, scope_, handle);
}

bp_view_args TableHandle::MakeViewArgs() const {
  auto args = c_form::Make<bp_view_args>();
  args.scope = scope_->Get();
  return args;
}

const MemoryView* TableHandle::GetMemoryView() const {
  const bp_view_args args = MakeViewArgs();
  auto view = c_form::Make<bp_view>();
  bp_error error;
  const Status status = instance_->Answer(
      "ITensorHandle::GetMemoryView", (*instance_)->get_view(handle_, &args, &view, &error), error);
  if (status != Status::kSuccess) return nullptr;
  view_ = c_form::ToView(Whole(view));
  return &view_;
}

Status TableHandle::CallBind(const char* function, const bp_bind_args& args) {
  bp_error error;
  return instance_->Answer(function, (*instance_)->bind(handle_, &args, &error), error);
}

Status TableHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  const bp_view memory = c_form::ToC(block);
  auto args = c_form::Make<bp_bind_args>();
  args.action = BP_BIND_BLOCK;
  args.scope = scope_->Get();
  args.memory = &memory;
  args.offset = offset_bytes;
  return CallBind("ITensorHandle::Bind", args);
}

Status TableHandle::Import(const MemoryView& given) {
  const bp_view memory = c_form::ToC(given);
  auto args = c_form::Make<bp_bind_args>();
  args.action = BP_BIND_IMPORT;
  args.scope = scope_->Get();
  args.memory = &memory;
  return CallBind("ITensorHandle::Import", args);
}

Status TableHandle::Unimport() {
  auto args = c_form::Make<bp_bind_args>();
  args.action = BP_BIND_END_IMPORT;
  args.scope = scope_->Get();
  return CallBind("ITensorHandle::Unimport", args);
}

Status TableHandle::Map(MemoryAccess access, MemoryView* view) {
  if ((*instance_)->map == nullptr) return Status::kUnsupported;
  bp_view_args args = MakeViewArgs();
  args.access = static_cast<std::uint32_t>(access);
  auto mapped = c_form::Make<bp_view>();
  bp_error error;
  const Status status = instance_->Answer(
      "ITensorHandle::Map", (*instance_)->map(handle_, &args, &mapped, &error), error);
  if (status == Status::kSuccess) *view = c_form::ToView(Whole(mapped));
  return status;
}

Status TableHandle::Unmap() {
  if ((*instance_)->unmap == nullptr) return Status::kUnsupported;
  const bp_view_args args = MakeViewArgs();
  bp_error error;
  return instance_->Answer("ITensorHandle::Unmap", (*instance_)->unmap(handle_, &args, &error),
                           error);
}

Status TableHandle::Export(MemorySource source, MemoryView* memory) {
  bp_view_args args = MakeViewArgs();
  args.source = ToFlags(source);
  auto exported = c_form::Make<bp_view>();
  bp_error error;
  const Status status = instance_->Answer(
      "ITensorHandle::Export", (*instance_)->get_view(handle_, &args, &exported, &error), error);
  if (status == Status::kSuccess) *memory = c_form::ToView(Whole(exported));
  return status;
}

}  // namespace backplane::backend
