#include "cpu_layers/tensor_handle_factory.hpp"
#include "layer_support.hpp"
#include "workload_factory.hpp"

#include <backplane/api/backend.hpp>

#include <memory>

namespace backplane {
namespace cpuref {
namespace {

using cpu_layers::TensorHandleFactory;

constexpr char kId[] = "CpuRef";
constexpr char kTensorHandleFactoryId[] = "Backplane/CpuRef/Malloc";

/// Behind every other backend: it is here to be right, not to be fast.
constexpr int kRank = -1000;

class CpuRefBackend : public IBackendInternal {
 public:
  const char* GetId() const override { return kId; }

  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<WorkloadFactory>();
  }

  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return std::make_shared<LayerSupport>();
  }

  void RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                     const BackendCallArgs& /*args*/) const override {
    static_cast<void>(
        registry.RegisterFactory(std::make_unique<TensorHandleFactory>(kTensorHandleFactoryId)));
  }

  /// The host's kind lies in the same memory; others may have only that.
  std::vector<std::string> GetHandleFactoryPreferences(
      const BackendCallArgs& /*args*/) const override {
    return {kTensorHandleFactoryId, kHostTensorHandleFactoryId};
  }

  BackendCapabilities GetCapabilities() const override {
    return {{kCapabilityRank, kRank}, {kCapabilityInPlace, true}};
  }
};

}  // namespace
}  // namespace cpuref
}  // namespace backplane

BACKPLANE_BACKEND(backplane::cpuref::CpuRefBackend, backplane::cpuref::kId);
