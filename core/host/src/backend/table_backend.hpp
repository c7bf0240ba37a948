// A backend that gives its table, as the host uses backends.
#pragma once

#include "backend/instance.hpp"

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/i_backend_profiling_context.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane::backend {

class TableBackend final : public IBackendInternal {
 public:
  explicit TableBackend(InstanceShare instance) : instance_(std::move(instance)) {}

  const char* GetId() const override { return (*instance_)->id; }
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
  std::vector<OperatorDeclaration> GetOperators() const override;
  std::vector<OperatorCase> GetOperatorCases() const override;

 private:
  InstanceShare instance_;
};

/// Null: the backend measures nothing.
/// Errors: DiagnosticException.
std::unique_ptr<IBackendProfilingContext> MakeProfiling(const InstanceShare& instance,
                                                        const ProfilingContextArgs& args);

}  // namespace backplane::backend
