#pragma once

#include <backplane/api/backend.hpp>

/// The least that a backend can be.
class MinimalBackend : public backplane::IBackendInternal {
 public:
  const char* GetId() const override { return "Minimal"; }
  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    return nullptr;
  }
  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& /*args*/) const override {
    return nullptr;
  }
};
