/// A backend that implements every function of every interface, each with an answer that a test
/// can tell from the default.

#include "contexts.hpp"
#include "execution.hpp"
#include "memory.hpp"

#include <backplane/api/backend.hpp>

#include <stdexcept>

namespace {

class CompleteBackend final : public backplane::IBackendInternal {
 public:
  const char* GetId() const override { return BACKPLANE_MOCK_NAME; }

  std::unique_ptr<backplane::IMemoryManager> CreateMemoryManager(
      const backplane::BackendCallArgs& /*args*/) const override {
    return std::make_unique<complete_mock::MemoryManager>();
  }

  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<complete_mock::WorkloadFactory>();
  }

  std::unique_ptr<backplane::IBackendContext> CreateBackendContext(
      const backplane::BackendContextArgs& /*args*/) const override {
    return std::make_unique<complete_mock::Context>();
  }

  std::shared_ptr<const backplane::IBackendModelContext> CreateBackendSpecificModelContext(
      const backplane::ModelContextArgs& /*args*/) const override {
    return std::make_shared<complete_mock::ModelContext>();
  }

  std::unique_ptr<backplane::IBackendProfilingContext> CreateBackendProfilingContext(
      const backplane::ProfilingContextArgs& args) const override {
    return std::make_unique<complete_mock::ProfilingContext>(*args.profiling);
  }

  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& /*args*/) const override {
    return std::make_shared<complete_mock::LayerSupport>();
  }

  backplane::OptimizationViews OptimizeSubgraphView(
      const backplane::OptimizeSubgraphArgs& args) const override {
    backplane::OptimizationViews views;
    views.failed.push_back(*args.subgraph);
    return views;
  }

  void RegisterTensorHandleFactories(backplane::TensorHandleFactoryRegistry& registry,
                                     const backplane::BackendCallArgs& /*args*/) const override {
    const backplane::Status outcomes[] = {
        registry.RegisterMemoryManager(std::make_shared<complete_mock::MemoryManager>()),
        registry.RegisterFactory(std::make_unique<complete_mock::TensorHandleFactory>()),
        registry.RegisterCopyAndImportFactoryPair(complete_mock::kFactoryId,
                                                  complete_mock::kFactoryId)};
    for (const backplane::Status outcome : outcomes) {
      if (outcome != backplane::Status::kSuccess)
        throw std::runtime_error(backplane::GetStatusText(outcome));
    }
  }

  std::vector<std::string> GetHandleFactoryPreferences(
      const backplane::BackendCallArgs& /*args*/) const override {
    return {complete_mock::kFactoryId};
  }

  backplane::BackendCapabilities GetCapabilities() const override {
    return {{backplane::kCapabilityRank, -5}, {"Vendor", "Mock"}};
  }

  std::vector<backplane::OptionSchema> GetOptionSchemas() const override {
    backplane::OptionSchema threads;
    threads.name = "threads";
    threads.type = backplane::OptionType::kInt;
    threads.default_value = 1;
    threads.text = "How many threads run a layer.";
    return {threads};
  }

  bool UseCustomMemoryAllocator(const backplane::CustomAllocatorArgs& args,
                                std::string& reason) const override {
    if (args.allocator->GetMemorySource() == backplane::MemorySource::kMalloc) return true;
    reason = "only memory of the CPU can be used";
    return false;
  }

  std::unique_ptr<backplane::ICustomAllocator> GetDefaultAllocator() const override {
    return std::make_unique<complete_mock::Allocator>();
  }
};

}  // namespace

BACKPLANE_BACKEND(CompleteBackend, BACKPLANE_MOCK_NAME);
