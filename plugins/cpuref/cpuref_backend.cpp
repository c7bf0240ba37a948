#include "layer_support.hpp"
#include "workload_factory.hpp"

#include <backplane/api/backend.hpp>

#include <memory>

namespace backplane {
namespace cpuref {
namespace {

constexpr char kId[] = "CpuRef";

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

  BackendCapabilities GetCapabilities() const override {
    return {{kCapabilityRank, kRank}, {kCapabilityInPlace, true}};
  }
};

}  // namespace
}  // namespace cpuref
}  // namespace backplane

BACKPLANE_BACKEND(backplane::cpuref::CpuRefBackend, backplane::cpuref::kId);
