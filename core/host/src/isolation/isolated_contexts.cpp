#include "isolation/isolated_contexts.hpp"

namespace backplane::isolation {

Status IsolatedContext::OnNetworkEvent(const NetworkEvent& event) {
  const bool is_unload =
      event.kind == NetworkEventKind::kBeforeUnload || event.kind == NetworkEventKind::kAfterUnload;
  // It has gone with its process, or stays loaded in the worker, which is the parent's.
  if (is_unload && (GetWorker().IsForked() || GetWorker().HasEnded())) return Status::kSuccess;
  return Ask<Status>(wire::Function::kTellNetworkEvent, event);
}

const RemoteObject* FindObject(const IBackendContext* context) {
  return static_cast<const IsolatedContext*>(context);
}

const RemoteObject* FindObject(const std::shared_ptr<const IBackendModelContext>& context) {
  return static_cast<const IsolatedModelContext*>(context.get());
}

messages::CallParts MakeCallParts(const RemoteObject* context, const RemoteObject* model_context,
                                  const BackendOptions* options) {
  messages::CallParts parts;
  if (context != nullptr) parts.context = context->GetId();
  if (model_context != nullptr) parts.model_context = model_context->GetId();
  if (options != nullptr) parts.options = *options;
  return parts;
}

}  // namespace backplane::isolation
