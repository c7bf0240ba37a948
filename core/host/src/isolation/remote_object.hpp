// Objects that stand for one in another process, and the contexts that calls name.
#pragma once

#include "isolation/worker.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace backplane::isolation {

/// An object in the process of a backend, which is destroyed there with this one.
class RemoteObject {
 public:
  RemoteObject(std::shared_ptr<Worker> worker, std::uint64_t number)
      : worker_(std::move(worker)), number_(number) {}
  ~RemoteObject() { worker_->Destroy(number_); }
  RemoteObject(const RemoteObject&) = delete;
  RemoteObject& operator=(const RemoteObject&) = delete;

  std::uint64_t GetNumber() const { return number_; }
  Worker& GetWorker() const { return *worker_; }
  const std::shared_ptr<Worker>& ShareWorker() const { return worker_; }

  /// Asks the object; its number goes before the values.
  /// Errors: as Worker::Call.
  template <typename... Values>
  std::unique_ptr<Reply> Call(wire::Function function, const Values&... values) const {
    return worker_->Call(function, wire::Writer().Put(number_, values...));
  }
  /// The same where one value is the answer.
  template <typename Answer, typename... Values>
  Answer Ask(wire::Function function, const Values&... values) const {
    return worker_->Take<Answer>(*Call(function, values...));
  }

 private:
  std::shared_ptr<Worker> worker_;
  std::uint64_t number_;
};

/// Asks for an object; its number goes before the values. 0: none was made.
template <typename... Values>
std::uint64_t AskForObject(Worker& worker, wire::Function function, const Worker::Areas& areas,
                           const Values&... values) {
  const std::uint64_t id = worker.GetObjects().MakeIds();
  const auto reply = worker.Call(function, wire::Writer().Put(id, values...), areas);
  return worker.Take<bool>(*reply) ? id : 0;
}

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

/// The remote objects behind two contexts, each of which may be null, and their part of a call.
struct CallObjects {
  CallObjects(const IBackendContext* runtime_context,
              const std::shared_ptr<const IBackendModelContext>& network_context)
      : context(static_cast<const IsolatedContext*>(runtime_context)),
        model_context(static_cast<const IsolatedModelContext*>(network_context.get())) {}

  serving::CallParts Describe(const BackendOptions* options) const {
    serving::CallParts parts;
    if (context != nullptr) parts.context = context->GetNumber();
    if (model_context != nullptr) parts.model_context = model_context->GetNumber();
    if (options != nullptr) parts.options = *options;
    return parts;
  }

  const RemoteObject* context;
  const RemoteObject* model_context;
};

}  // namespace backplane::isolation
