// A backend written as vendors write one: one include, and nothing about notes.
#include <backplane/api/backend.hpp>

class NotedBackend : public backplane::IBackendInternal {
 public:
  const char* GetId() const override { return "Noted"; }
  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    return nullptr;
  }
  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& /*args*/) const override {
    return nullptr;
  }
};

BACKPLANE_BACKEND(NotedBackend, "Noted");
BACKPLANE_MANIFEST("Noted", "Some & {Vendor} 100%", "1.2.0", "Apache-2.0", "", -7);
