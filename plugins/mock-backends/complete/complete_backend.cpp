/// A backend that implements every function of every interface, each with an answer that a test
/// can tell from the default. Tests make each function throw, and see what is destroyed when (see
/// watched.hpp).

#include "compiling.hpp"
#include "contexts.hpp"
#include "execution.hpp"
#include "memory.hpp"

#include <backplane/api/backend.hpp>

#include <stdexcept>

namespace {

using complete_mock::Pass;
using complete_mock::Watched;

class CompleteBackend final : public Watched<backplane::IBackendInternal> {
 public:
  const char* GetId() const override {
    Pass("IBackendInternal::GetId");
    return BACKPLANE_MOCK_NAME;
  }

  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    Pass("IBackendInternal::CreateWorkloadFactory");
    return std::make_unique<complete_mock::WorkloadFactory>();
  }

  std::unique_ptr<backplane::IBackendContext> CreateBackendContext(
      const backplane::BackendContextArgs& /*args*/) const override {
    Pass("IBackendInternal::CreateBackendContext");
    return std::make_unique<complete_mock::Context>();
  }

  std::shared_ptr<const backplane::IBackendModelContext> CreateBackendSpecificModelContext(
      const backplane::ModelContextArgs& /*args*/) const override {
    Pass("IBackendInternal::CreateBackendSpecificModelContext");
    return std::make_shared<complete_mock::ModelContext>();
  }

  std::unique_ptr<backplane::IBackendProfilingContext> CreateBackendProfilingContext(
      const backplane::ProfilingContextArgs& args) const override {
    Pass("IBackendInternal::CreateBackendProfilingContext");
    return std::make_unique<complete_mock::ProfilingContext>(*args.profiling);
  }

  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& /*args*/) const override {
    Pass("IBackendInternal::GetLayerSupport");
    return std::make_shared<complete_mock::LayerSupport>();
  }

  backplane::OptimizationViews OptimizeSubgraphView(
      const backplane::OptimizeSubgraphArgs& args) const override {
    Pass("IBackendInternal::OptimizeSubgraphView");
    return complete_mock::Compile(args);
  }

  void RegisterTensorHandleFactories(backplane::TensorHandleFactoryRegistry& registry,
                                     const backplane::BackendCallArgs& /*args*/) const override {
    Pass("IBackendInternal::RegisterTensorHandleFactories");
    const backplane::Status outcomes[] = {
        registry.RegisterMemoryManager(std::make_shared<complete_mock::MemoryManager>()),
        registry.RegisterFactory(std::make_unique<complete_mock::TensorHandleFactory>())};
    for (const backplane::Status outcome : outcomes) {
      if (outcome != backplane::Status::kSuccess)
        throw std::runtime_error(backplane::GetStatusText(outcome));
    }
  }

  std::vector<std::string> GetHandleFactoryPreferences(
      const backplane::BackendCallArgs& /*args*/) const override {
    Pass("IBackendInternal::GetHandleFactoryPreferences");
    return {complete_mock::kFactoryId};
  }

  backplane::BackendCapabilities GetCapabilities() const override {
    Pass("IBackendInternal::GetCapabilities");
    return {{backplane::kCapabilityRank, -5}, {"Vendor", "Mock"}};
  }

  std::vector<backplane::OperatorDeclaration> GetOperators() const override {
    Pass("IBackendInternal::GetOperators");
    return {};
  }
  std::vector<backplane::OperatorCase> GetOperatorCases() const override {
    Pass("IBackendInternal::GetOperatorCases");
    return {};
  }
  std::vector<backplane::OptionSchema> GetOptionSchemas() const override {
    Pass("IBackendInternal::GetOptionSchemas");
    backplane::OptionSchema threads;
    threads.name = "threads";
    threads.type = backplane::OptionType::kInt;
    threads.default_value = 1;
    threads.text = "How many threads run a layer.";
    return {threads};
  }
};

}  // namespace

const char* GetBackendId() {
  Pass("GetBackendId");
  return BACKPLANE_MOCK_NAME;
}

void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  Pass("GetVersion");
  *outMajor = backplane::IBackendInternal::GetApiVersion().major;
  *outMinor = backplane::IBackendInternal::GetApiVersion().minor;
}

void* BackendFactory() {
  Pass("BackendFactory");
  return backplane::GetBackendTable<backplane::MakeBackend<CompleteBackend>>(BACKPLANE_MOCK_NAME);
}
