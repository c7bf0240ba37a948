// Contexts of a backend in another process, and its answers about layers.
#pragma once

#include "isolation/remote_object.hpp"

#include <backplane/api/i_backend_context.hpp>
#include <backplane/api/i_backend_internal.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane::isolation {

/// Tells the next process too which networks are loaded.
class IsolatedContext final : public IBackendContext {
 public:
  explicit IsolatedContext(std::unique_ptr<RemoteObject> object) : object_(std::move(object)) {}

  std::uint64_t GetId() const { return object_->GetId(); }

  Status BeforeLoadNetwork(const NetworkEvent& event) override;
  Status AfterLoadNetwork(const NetworkEvent& event) override;
  Status BeforeUnloadNetwork(const NetworkEvent& event) override;
  Status AfterUnloadNetwork(const NetworkEvent& event) override;

 private:
  Status Tell(std::uint32_t slot, const NetworkEvent& event);

  std::unique_ptr<RemoteObject> object_;
  std::mutex mutex_;
  std::map<NetworkId, std::vector<std::shared_ptr<Step>>> told_;
};

class IsolatedModelContext final : public IBackendModelContext {
 public:
  explicit IsolatedModelContext(std::unique_ptr<RemoteObject> object)
      : object_(std::move(object)) {}
  std::uint64_t GetId() const { return object_->GetId(); }

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
  Status Keep(messages::Function function, const messages::Writer& body,
              std::shared_ptr<Step>& kept);

  std::shared_ptr<Step> counters_;
  std::shared_ptr<Step> timeline_;
  std::unique_ptr<RemoteObject> object_;
};

/// The number of a context; 0: there is none.
std::uint64_t GetContextId(const IBackendContext* context);

}  // namespace backplane::isolation
