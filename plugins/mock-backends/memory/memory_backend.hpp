#pragma once

/// Backends that differ in their kinds of tensor memory, one for each row of scenarios.def. All run
/// the layers of layer_support.hpp, and tell by capabilities what was done with their tensors.

#include <backplane/api/backend.hpp>

#include <memory>
#include <string>
#include <vector>

namespace memory_mock {

class MemoryBackend final : public backplane::IBackendInternal {
 public:
  const char* GetId() const override;
  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& args) const override;
  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& args) const override;
  void RegisterTensorHandleFactories(backplane::TensorHandleFactoryRegistry& registry,
                                     const backplane::BackendCallArgs& args) const override;
  std::vector<std::string> GetHandleFactoryPreferences(
      const backplane::BackendCallArgs& args) const override;
  backplane::BackendCapabilities GetCapabilities() const override;
  std::vector<backplane::OptionSchema> GetOptionSchemas() const override;
};

}  // namespace memory_mock
