#include "context/backend_context.hpp"
#include "context/model_context.hpp"
#include "cpu_layers/timeline.hpp"
#include "devices/device_capabilities.hpp"
#include "identity.hpp"
#include "layers/layer_support.hpp"
#include "memory/kinds.hpp"
#include "options/options.hpp"
#include "subgraphs/compile.hpp"
#include "workload_factory.hpp"

#include <backplane/api/backend.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {
namespace {

/// Behind CpuAcc: the device may be the CPU. Whoever has a better one prefers it by name.
constexpr int kRank = 50;

/// What it takes to wait for the device on the host, and to give it a kernel: microseconds,
/// measured with PoCL; drivers of GPUs take as long.
constexpr double kCrossingTime = 50;
constexpr double kLaunchTime = 10;

class OpenClBackend : public IBackendInternal {
 public:
  const char* GetId() const override { return kId; }

  /// Here the host learns when the backend cannot work on this machine.
  std::unique_ptr<IBackendContext> CreateBackendContext(
      const BackendContextArgs& args) const override {
    return std::make_unique<BackendContext>(ReadOptions(*args.options), args.logger);
  }

  std::shared_ptr<const IBackendModelContext> CreateBackendSpecificModelContext(
      const ModelContextArgs& args) const override {
    return MakeModelContext(args.context, *args.options);
  }

  std::unique_ptr<IBackendProfilingContext> CreateBackendProfilingContext(
      const ProfilingContextArgs& args) const override {
    return std::make_unique<cpu_layers::TimelineContext>(args.profiling,
                                                         GetContext(args.context).GetTimeline());
  }

  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& args) const override {
    return std::make_unique<WorkloadFactory>(GetModelContext(args));
  }

  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& args) const override {
    return std::make_shared<LayerSupport>(GetModelContext(args));
  }

  OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const override {
    const auto model = GetModelContext(args);
    if (!model->options.fuse) return IBackendInternal::OptimizeSubgraphView(args);
    return CompileSubgraph(args, *model);
  }

  void RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                     const BackendCallArgs& args) const override {
    RegisterKinds(registry, MakeModelContext(args.context, *args.options)->device, *args.logger);
  }

  std::vector<std::string> GetHandleFactoryPreferences(const BackendCallArgs& args) const override {
    const auto model = MakeModelContext(args.context, *args.options);
    return GetPreferences(model->options.memory, model->device->GetDevice());
  }

  BackendCapabilities GetCapabilities() const override {
    BackendCapabilities capabilities = {{kCapabilityRank, kRank},
                                        {kCapabilityStop, true},
                                        {kCapabilityFences, kAllFenceKinds},
                                        {kCapabilityCrossingTime, kCrossingTime},
                                        {kCapabilityLaunchTime, kLaunchTime}};
    AppendDevices(capabilities);
    return capabilities;
  }

  std::vector<OptionSchema> GetOptionSchemas() const override { return GetSchemas(); }
};

}  // namespace
}  // namespace opencl
}  // namespace backplane

BACKPLANE_BACKEND(backplane::opencl::OpenClBackend, backplane::opencl::kId);
