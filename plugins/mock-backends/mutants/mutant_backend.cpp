/// A correct backend that has everything that a backend can have, around the kernels of the
/// reference backend; and with one of the mistakes of mutants.def when it is told to.

#include "compiling.hpp"
#include "contexts.hpp"
#include "kinds.hpp"
#include "mistake.hpp"
#include "own_operator.hpp"
#include "pass.hpp"
#include "support.hpp"
#include "workload_factory.hpp"

#include <backplane/api/backend.hpp>
#include <backplane/api/manifest.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace mutants {
namespace {

constexpr char kId[] = "MockMutants";

/// What ends with the library, or with the process.
struct Library {
  Library() {
    GetDevice();  // so that it knows the process
    if (Makes(Mistake::kDescriptorPerOpening)) LeaveDescriptor();
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (Makes(Mistake::kCrashesAtTheEnd) && GetDevice().has_run) std::raise(SIGSEGV);
  }
};

const Library library;

/// Whether this process has opened the library before.
bool IsReloaded() {
  constexpr char kName[] = "MOCK_MUTANT_LOADED";
  static const bool kIsReloaded = std::getenv(kName) != nullptr;
  setenv(kName, "1", 1);
  return kIsReloaded;
}

class MutantBackend final : public backplane::IBackendInternal {
 public:
  MutantBackend() : number_(++GetDevice().num_backends) {}

  const char* GetId() const override {
    if (!Makes(Mistake::kIdChanges)) return kId;
    return GetDevice().has_told_id.exchange(true) ? "MockMutantsToo" : kId;
  }

  std::unique_ptr<backplane::IBackendContext> CreateBackendContext(
      const backplane::BackendContextArgs& args) const override {
    Pass(Place::kContext);
    if (Makes(Mistake::kOpensOnce) && IsReloaded()) {
      throw std::runtime_error("the device was opened before");
    }
    return std::make_unique<Context>(args);
  }

  std::shared_ptr<const backplane::IBackendModelContext> CreateBackendSpecificModelContext(
      const backplane::ModelContextArgs& /*args*/) const override {
    return std::make_shared<ModelContext>();
  }

  std::unique_ptr<backplane::IBackendProfilingContext> CreateBackendProfilingContext(
      const backplane::ProfilingContextArgs& args) const override {
    return std::make_unique<ProfilingContext>(*args.profiling);
  }

  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& args) const override {
    UseContext(args.context);
    return std::make_unique<WorkloadFactory>(args, number_);
  }

  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& args) const override {
    UseContext(args.context);
    return std::make_shared<LayerSupport>();
  }

  backplane::OptimizationViews OptimizeSubgraphView(
      const backplane::OptimizeSubgraphArgs& args) const override {
    return Compile(args);
  }

  void RegisterTensorHandleFactories(backplane::TensorHandleFactoryRegistry& registry,
                                     const backplane::BackendCallArgs& /*args*/) const override {
    Pass(Place::kRegister);
    static_cast<void>(
        registry.RegisterFactory(std::make_unique<TensorHandleFactory>(GetSharedKind())));
    static_cast<void>(
        registry.RegisterFactory(std::make_unique<TensorHandleFactory>(GetHeapKind())));
    static_cast<void>(registry.RegisterMemoryManager(
        std::make_shared<MemoryManager>(memory_mock::Storage::kDevice)));
    static_cast<void>(
        registry.RegisterFactory(std::make_unique<TensorHandleFactory>(GetDeviceKind())));
  }

  std::vector<std::string> GetHandleFactoryPreferences(
      const backplane::BackendCallArgs& /*args*/) const override {
    std::vector<std::string> preferences = {kSharedId, kHeapId, kDeviceId,
                                            backplane::kHostTensorHandleFactoryId};
    if (Makes(Mistake::kPreferenceMisspelt)) preferences[0] = "Mock/Mutants/Shard";
    if (Makes(Mistake::kPreferencesChange)) {
      const auto first = preferences.begin();
      std::rotate(first, first + num_calls_++ % 3, first + 3);
    }
    return preferences;
  }

  backplane::BackendCapabilities GetCapabilities() const override {
    backplane::BackendCapabilities capabilities = {
        {backplane::kCapabilityInPlace, true},
        {backplane::kCapabilityStop, true},
        {backplane::kCapabilityFences, backplane::kAllFenceKinds},
        {backplane::kCapabilityCustomAllocator, true}};
    if (Makes(Mistake::kCapabilitiesChange)) {
      capabilities.emplace_back("Calls", static_cast<std::int64_t>(++num_calls_));
    }
    if (Makes(Mistake::kRankIsText)) capabilities.emplace_back(backplane::kCapabilityRank, "high");
    if (Makes(Mistake::kCapabilityTwice)) {
      capabilities.emplace_back(backplane::kCapabilityInPlace, false);
    }
    return capabilities;
  }

  std::vector<backplane::OperatorDeclaration> GetOperators() const override {
    return {DeclareRelu()};
  }

  std::vector<backplane::OperatorCase> GetOperatorCases() const override {
    if (Makes(Mistake::kCaseMissing)) return {};
    return {MakeCaseOfRelu()};
  }

  std::vector<backplane::TensorInfo> InferOutputs(const backplane::InferArgs& args) const override {
    return {*args.inputs[0]};
  }

  std::vector<backplane::OptionSchema> GetOptionSchemas() const override {
    return DescribeOptions();
  }

 private:
  static void UseContext(const backplane::IBackendContext* context) {
    if (!Makes(Mistake::kContextExpected)) return;
    static_cast<void>(*reinterpret_cast<const volatile char*>(context));
  }

  const std::uint64_t number_;
  mutable std::atomic<std::uint32_t> num_calls_{0};
};

}  // namespace
}  // namespace mutants

BACKPLANE_BACKEND(mutants::MutantBackend, mutants::kId);
BACKPLANE_MANIFEST("MockMutants", "Mock Works", "3.2.1", "MIT", "", 0);
