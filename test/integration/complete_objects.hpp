#pragma once

/// One object of each interface that a backend implements, made by the complete mock.

#include "compiled_keeper.hpp"
#include "mock_rows.hpp"

#include <backplane/host/dynamic_backend.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace backplane::test {

/// Keeps what is logged.
class KeepingLogger final : public ILogger {
 public:
  bool IsEnabled(LogLevel /*level*/) const override { return true; }
  Status Log(LogLevel /*level*/, const char* message) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    text_ += std::string(message) + '\n';
    return Status::kSuccess;
  }
  std::string GetText() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

class SilentProfiling final : public IBackendProfiling {
 public:
  Status ReportTimelineEvent(const TimelineEvent& /*event*/) override { return Status::kSuccess; }
  Status ReportCounterSamples(const CounterSample* /*samples*/, std::uint32_t /*count*/) override {
    return Status::kSuccess;
  }
};

class FactoryKeeper final : public TensorHandleFactoryRegistry {
 public:
  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override {
    factories.push_back(std::move(factory));
    return Status::kSuccess;
  }
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> manager) override {
    managers.push_back(std::move(manager));
    return Status::kSuccess;
  }

  std::vector<std::shared_ptr<IMemoryManager>> managers;
  std::vector<std::unique_ptr<ITensorHandleFactory>> factories;
};

/// What the host gives to the objects, which stays longer than they do.
struct HostSide {
  BackendOptions options{"MockComplete", {}};
  KeepingLogger logger;
  SilentProfiling profiling;
};

struct CompleteObjects {
  explicit CompleteObjects(HostSide& host);

  PluginObject<IBackendInternal> backend;
  PluginObject<const ILayerSupport> layer_support;
  PluginObject<const IBackendModelContext> model_context;
  PluginObject<IBackendContext> context;
  PluginObject<IBackendProfilingContext> profiling;
  PluginObject<IMemoryManager> memory_manager;
  PluginObject<IWorkloadFactory> factory;
  PluginObject<IWorkload> workload;
  PluginObject<IExecutionState> state;
  PluginObject<ITensorHandleFactory> handle_factory;
  PluginObject<ITensorHandle> handle;
  PluginObject<const IPreCompiledObject> compiled;
};

/// A tensor for them, as long as the program.
inline const TensorInfo& GetTensor() {
  static const TensorInfo info({2, 3}, DataType::kFloat32);
  return info;
}

namespace complete_objects {

template <typename Interface>
PluginObject<Interface> Wrap(PluginResult<std::unique_ptr<Interface>> made,
                             const PluginObject<IBackendInternal>& backend) {
  return {std::move(made.GetOrThrow()), backend.GetOrigin()};
}

template <typename Interface>
PluginObject<Interface> Wrap(PluginResult<std::shared_ptr<Interface>> made,
                             const PluginObject<IBackendInternal>& backend) {
  return {std::move(made.GetOrThrow()), backend.GetOrigin()};
}

}  // namespace complete_objects

inline CompleteObjects::CompleteObjects(HostSide& host) {
  using complete_objects::Wrap;
  using Backend = IBackendInternal;
  backend = DynamicBackend::Open(GetMockRow("Complete").path)->CreateBackend();
  layer_support = Wrap(backend.Call<&Backend::GetLayerSupport>(LayerSupportArgs()), backend);
  std::string reason;
  layer_support.Call<&ILayerSupport::IsLayerSupported>(LayerSupportQuery(), reason);
  ModelContextArgs model;
  model.options = &host.options;
  model.logger = &host.logger;
  model_context = Wrap(backend.Call<&Backend::CreateBackendSpecificModelContext>(model), backend);
  BackendContextArgs runtime;
  runtime.options = &host.options;
  runtime.logger = &host.logger;
  context = Wrap(backend.Call<&Backend::CreateBackendContext>(runtime), backend);
  ProfilingContextArgs profile;
  profile.profiling = &host.profiling;
  profile.logger = &host.logger;
  profiling = Wrap(backend.Call<&Backend::CreateBackendProfilingContext>(profile), backend);
  WorkloadFactoryArgs network;
  network.options = &host.options;
  network.logger = &host.logger;
  factory = Wrap(backend.Call<&Backend::CreateWorkloadFactory>(network), backend);
  WorkloadArgs layer;
  layer.layer_type = LayerType::kReshape;
  workload = Wrap(factory.Call<&IWorkloadFactory::CreateWorkload>(layer), backend);
  state = Wrap(factory.Call<&IWorkloadFactory::CreateExecutionState>(), backend);
  FactoryKeeper keeper;
  backend.Call<&Backend::RegisterTensorHandleFactories>(keeper, BackendCallArgs());
  memory_manager = {std::move(keeper.managers.at(0)), backend.GetOrigin()};
  handle_factory = {std::move(keeper.factories.at(0)), backend.GetOrigin()};
  TensorHandleArgs tensor;
  tensor.info = &GetTensor();
  handle = Wrap(handle_factory.Call<&ITensorHandleFactory::CreateTensorHandle>(tensor), backend);
  SubgraphView subgraph;
  subgraph.layers = {1};
  subgraph.inputs = {{0, 0}};
  subgraph.outputs = {{1, 0}};
  CompiledKeeper builder(GetTensor());
  OptimizeSubgraphArgs part;
  part.subgraph = &subgraph;
  part.reader = &builder;
  part.builder = &builder;
  backend.Call<&Backend::OptimizeSubgraphView>(part);
  compiled = {std::move(builder.compiled), backend.GetOrigin()};
}

}  // namespace backplane::test
