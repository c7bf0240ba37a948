// A backend whose plugin runs in a process of its own, as the host calls it.
#pragma once

#include "isolation/worker_life.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::isolation {

/// Asks for everything the process that has what is given, or else the one that runs. What it
/// throws is what the plugin throws, and DiagnosticException with kWorkerEnded, kWorkerNotStarted
/// and kWorkerStaysOut.
class IsolatedBackend final : public IBackendInternal {
 public:
  explicit IsolatedBackend(std::shared_ptr<WorkerLife> life) : life_(std::move(life)) {}

  const char* GetId() const override { return life_->GetBackendId().c_str(); }
  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& args) const override;
  std::unique_ptr<IBackendContext> CreateBackendContext(
      const BackendContextArgs& args) const override;
  std::shared_ptr<const IBackendModelContext> CreateBackendSpecificModelContext(
      const ModelContextArgs& args) const override;
  std::unique_ptr<IBackendProfilingContext> CreateBackendProfilingContext(
      const ProfilingContextArgs& args) const override;
  std::shared_ptr<const ILayerSupport> GetLayerSupport(const LayerSupportArgs& args) const override;
  OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const override;
  void RegisterTensorHandleFactories(TensorHandleFactoryRegistry& registry,
                                     const BackendCallArgs& args) const override;
  std::vector<std::string> GetHandleFactoryPreferences(const BackendCallArgs& args) const override;
  BackendCapabilities GetCapabilities() const override;
  std::vector<OptionSchema> GetOptionSchemas() const override;

 private:
  std::shared_ptr<WorkerLife> life_;
};

}  // namespace backplane::isolation
