#pragma once

/// Functions of the table for tensor memory.

#include <backplane/api/over_c/failures.hpp>
#include <backplane/api/over_c/objects.hpp>

#include <algorithm>
#include <memory>
#include <mutex>

// Hidden, so that each file calls its own, however it is linked.
#pragma GCC visibility push(hidden)

namespace backplane::c_form {

inline bp_status Requirements(bp_kind* kind, const bp_handle_args* args, bp_requirements* out,
                              bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    const TensorInfo info = ToInfo(*args->info);
    TensorRequirementsArgs asked;
    asked.layer_type = ToEnum<LayerType>(args->layer_type);
    asked.info = &info;
    Give(ToC(From<Kind>(kind)->factory->GetRequirements(asked)), out);
    return Status::kSuccess;
  });
}

inline bp_status Allocate(bp_kind* kind, const bp_requirements* requirements, bp_view* view,
                          bp_error* error) noexcept {
  Kind& object = *From<Kind>(kind);
  return Guard(object.origin.host, error, [&] {
    if (!object.giver) return Status::kUnsupported;
    const std::lock_guard<std::mutex> lock(object.giver->mutex);
    MemoryBlock block;
    const Status status = object.giver->manager->Acquire(ToRequirements(*requirements), &block);
    if (status == Status::kSuccess) Give(ToC(block), view);
    return status;
  });
}

inline void FreeBlock(bp_kind* kind, const bp_view* view) noexcept {
  Kind& object = *From<Kind>(kind);
  GuardSilent(object.origin, "IMemoryManager::Release", [&] {
    const std::lock_guard<std::mutex> lock(object.giver->mutex);
    object.giver->manager->Release(ToBlock(*view));
  });
}

inline bp_status MakeHandle(bp_kind* kind, const bp_handle_args* args, bp_handle** out,
                            bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    const Kind& object = *From<Kind>(kind);
    const TensorInfo info = ToInfo(*args->info);
    std::unique_ptr<ITensorHandle> made;
    if (args->parent == nullptr) {
      TensorHandleArgs whole;
      whole.info = &info;
      made = object.factory->CreateTensorHandle(whole);
      Require(made.get(), "CreateTensorHandle");
    } else {
      SubTensorHandleArgs part;
      part.parent = From<ITensorHandle>(args->parent);
      part.info = &info;
      part.origin = args->origin;
      made = object.factory->CreateSubTensorHandle(part);
      if (!made) return Status::kUnsupported;
    }
    static_cast<Origin&>(made->crossing) = object.origin;
    *out = reinterpret_cast<bp_handle*>(made.release());
    return Status::kSuccess;
  });
}

inline void FreeHandle(bp_handle* handle) noexcept {
  auto* const object = From<ITensorHandle>(handle);
  Free(object, Origin{object->crossing});
}

inline bp_status Bind(bp_handle* handle, const bp_bind_args* args, bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    ITensorHandle& object = *From<ITensorHandle>(handle);
    if (args->action == BP_BIND_BLOCK) return object.Bind(ToBlock(*args->memory), args->offset);
    if (args->action == BP_BIND_IMPORT) return object.Import(ToView(*args->memory));
    return args->action == BP_BIND_END_IMPORT ? object.Unimport() : Status::kUnsupported;
  });
}

/// Hands a view over whose extents the handle keeps.
inline void GiveView(const MemoryView& view, ShownExtents& extents, bp_view* out) {
  std::copy_n(view.dims, view.rank, extents.dims);
  std::copy_n(view.strides_bytes, view.rank, extents.strides);
  bp_view made = ToC(view);
  made.dims = extents.dims;
  made.strides = extents.strides;
  Give(made, out);
}

inline bp_status GetView(bp_handle* handle, const bp_view_args* args, bp_view* out,
                         bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    ITensorHandle& object = *From<ITensorHandle>(handle);
    if (args->source == 0) {
      const MemoryView* const view = object.GetMemoryView();
      if (view == nullptr) return Status::kUnsupported;
      Give(ToC(*view), out);
      return Status::kSuccess;
    }
    MemoryView exported;
    const Status status = object.Export(ToEnum<MemorySource>(args->source), &exported);
    if (status == Status::kSuccess) GiveView(exported, object.crossing.exported, out);
    return status;
  });
}

inline bp_status Map(bp_handle* handle, const bp_view_args* args, bp_view* out,
                     bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    ITensorHandle& object = *From<ITensorHandle>(handle);
    MemoryView mapped;
    const Status status = object.Map(ToEnum<MemoryAccess>(args->access), &mapped);
    if (status == Status::kSuccess) GiveView(mapped, object.crossing.mapped, out);
    return status;
  });
}

inline bp_status Unmap(bp_handle* handle, const bp_view_args* args, bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] { return From<ITensorHandle>(handle)->Unmap(); });
}

}  // namespace backplane::c_form

#pragma GCC visibility pop
