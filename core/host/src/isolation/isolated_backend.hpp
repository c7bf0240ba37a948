// A backend whose plugin runs in a process of its own, as the host calls it.
#pragma once

#include "isolation/worker_link.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::isolation {

/// Asks the process for everything. What it throws is what the plugin throws, and
/// DiagnosticException with kWorkerEnded, kWorkerNotStarted and kWorkerStaysOut.
class IsolatedBackend final : public IBackendInternal {
 public:
  explicit IsolatedBackend(std::shared_ptr<WorkerLink> link) : link_(std::move(link)) {}

  const char* GetId() const override { return link_->GetBackendId().c_str(); }
  std::unique_ptr<IMemoryManager> CreateMemoryManager(const BackendCallArgs& args) const override;
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
  bool UseCustomMemoryAllocator(const CustomAllocatorArgs& args,
                                std::string& reason) const override;

 private:
  std::shared_ptr<WorkerLink> link_;
};

}  // namespace backplane::isolation
