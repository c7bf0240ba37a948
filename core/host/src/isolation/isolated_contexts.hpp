// Contexts of a backend in another process, and what calls with them have in common.
#pragma once

#include "isolation/remote_object.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <memory>

namespace backplane::isolation {

class IsolatedContext final : public IBackendContext, public RemoteObject {
 public:
  using RemoteObject::RemoteObject;
  Status OnNetworkEvent(const NetworkEvent& event) override;
};

class IsolatedModelContext final : public IBackendModelContext, public RemoteObject {
 public:
  using RemoteObject::RemoteObject;
};

/// Which object a context stands for. Null: there is none.
const RemoteObject* FindObject(const IBackendContext* context);
const RemoteObject* FindObject(const std::shared_ptr<const IBackendModelContext>& context);

/// Null stands for none.
messages::CallParts MakeCallParts(const RemoteObject* context, const RemoteObject* model_context,
                                  const BackendOptions* options);

}  // namespace backplane::isolation
