// The least that is a backend. compare.py makes many of it, each with digits of its own in the id.

#include <backplane/api/backend.hpp>

namespace {

constexpr char kId[] = "Trivial000000";

class TrivialBackend final : public backplane::IBackendInternal {
 public:
  const char* GetId() const override { return kId; }
  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    return nullptr;
  }
  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& /*args*/) const override {
    return nullptr;
  }
};

}  // namespace

BACKPLANE_BACKEND(TrivialBackend, kId);
