// Contexts of a backend in another process, and what calls with them have in common.
#pragma once

#include "isolation/remote_object.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <memory>

namespace backplane::isolation {

class IsolatedContext final : public IBackendContext, public RemoteObject {
 public:
  using RemoteObject::RemoteObject;

  Status OnNetworkEvent(const NetworkEvent& event) override {
    const bool is_unload = event.kind == NetworkEventKind::kBeforeUnload ||
                           event.kind == NetworkEventKind::kAfterUnload;
    // It has gone with its process, or stays loaded in the worker, which is the parent's.
    if (is_unload && (GetWorker().IsForked() || GetWorker().HasEnded())) return Status::kSuccess;
    return Ask<Status>(wire::Function::kTellNetworkEvent, event);
  }
};

class IsolatedModelContext final : public IBackendModelContext, public RemoteObject {
 public:
  using RemoteObject::RemoteObject;
};

/// The objects for which contexts stand, of which each may be null, and what a call says of them.
struct CallObjects {
  CallObjects(const IBackendContext* runtime_context,
              const std::shared_ptr<const IBackendModelContext>& network_context)
      : context(static_cast<const IsolatedContext*>(runtime_context)),
        model_context(static_cast<const IsolatedModelContext*>(network_context.get())) {}

  messages::CallParts Describe(const BackendOptions* options) const {
    messages::CallParts parts;
    if (context != nullptr) parts.context = context->GetNumber();
    if (model_context != nullptr) parts.model_context = model_context->GetNumber();
    if (options != nullptr) parts.options = *options;
    return parts;
  }

  const RemoteObject* context;
  const RemoteObject* model_context;
};

}  // namespace backplane::isolation
