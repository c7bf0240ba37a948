#include "context/backend_context.hpp"
#include "context/model_context.hpp"
#include "cpu_layers/timeline.hpp"
#include "devices/device.hpp"
#include "identity.hpp"
#include "kernels/kernels.hpp"
#include "layers/plan_layer.hpp"
#include "library/library.hpp"
#include "memory/kinds.hpp"
#include "options/options.hpp"
#include "subgraphs/compile.hpp"
#include "workload_factory.hpp"

#include <backplane/api/backend.hpp>
#include <backplane/api/backend_options.hpp>
#include <backplane/api/i_layer_support.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl {
namespace {

/// Less than CpuAcc's: the device may be the CPU. A user with a better one prefers it by name.
constexpr int kRank = 50;

/// Time to wait for the device on the host, and to give it a kernel: microseconds,
/// measured with PoCL; drivers of GPUs take as long.
constexpr double kCrossingTime = 50;
constexpr double kLaunchTime = 10;

std::string Describe(const Device& device) {
  return device.name + " of " + device.platform_name + ", " + device.version + ", driver " +
         device.driver_version;
}

/// Adds a line for each device, by the indices that the options platform and device take: none
/// where there is no driver, which CreateBackendContext tells with the reason.
void AppendDevices(BackendCapabilities& capabilities) {
  try {
    const std::vector<Platform> platforms = ListPlatforms(OpenLibrary(kDefaultLibrary));
    for (std::size_t i = 0; i < platforms.size(); ++i) {
      for (std::size_t k = 0; k < platforms[i].devices.size(); ++k) {
        capabilities.emplace_back("Platform" + std::to_string(i) + ".Device" + std::to_string(k),
                                  Describe(platforms[i].devices[k]));
      }
    }
  } catch (const std::exception& /*no driver*/) {
    return;
  }
}

/// Answers what the kernels answer for the device of the network.
class LayerSupport : public ILayerSupport {
 public:
  explicit LayerSupport(std::shared_ptr<const ModelContext> model) : model_(std::move(model)) {}

  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    std::string refusal = FindRefusalOnDevice(MakePlannedLayer(query), *model_);
    if (refusal.empty()) return true;
    reason = std::move(refusal);
    return false;
  }

 private:
  std::shared_ptr<const ModelContext> model_;
};

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
