// Contexts of a backend in another process, and its answers about layers.
#pragma once

#include "isolation/remote_object.hpp"

#include <backplane/api/i_backend_context.hpp>
#include <backplane/api/i_backend_internal.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::isolation {

class IsolatedContext final : public IBackendContext {
 public:
  explicit IsolatedContext(std::unique_ptr<RemoteObject> object) : object_(std::move(object)) {}

  const RemoteObject& GetObject() const { return *object_; }

  Status OnNetworkEvent(const NetworkEvent& event) override;

 private:
  std::unique_ptr<RemoteObject> object_;
};

class IsolatedModelContext final : public IBackendModelContext {
 public:
  explicit IsolatedModelContext(std::unique_ptr<RemoteObject> object)
      : object_(std::move(object)) {}
  const RemoteObject& GetObject() const { return *object_; }

 private:
  std::unique_ptr<RemoteObject> object_;
};

class IsolatedLayerSupport final : public ILayerSupport {
 public:
  explicit IsolatedLayerSupport(std::unique_ptr<RemoteObject> object)
      : object_(std::move(object)) {}
  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override;

 private:
  std::unique_ptr<RemoteObject> object_;
};

class IsolatedProfilingContext final : public IBackendProfilingContext {
 public:
  IsolatedProfilingContext(std::unique_ptr<RemoteObject> object, IBackendProfiling* profiling);
  ~IsolatedProfilingContext() override;

  std::vector<CounterDescription> GetCounters() const override;
  Status ActivateCounters(std::uint64_t period_us, const std::uint32_t* ids,
                          std::uint32_t count) override;
  Status SetTimeline(ProfilingState state) override;

 private:
  Status Tell(wire::Function function, const wire::Writer& body, bool is_off);

  std::unique_ptr<RemoteObject> object_;
};

/// Which object a context stands for. Null: there is none.
const RemoteObject* FindObject(const IBackendContext* context);
const RemoteObject* FindObject(const std::shared_ptr<const IBackendModelContext>& context);

/// The number of an object in messages. Null: 0.
inline std::uint64_t GetNumber(const RemoteObject* object) {
  return object != nullptr ? object->GetId() : 0;
}

/// Writes what every call of the Backend API has: its context, and the options.
void PutCallParts(wire::Writer& writer, const IBackendContext* context,
                  const BackendOptions* options);

}  // namespace backplane::isolation
