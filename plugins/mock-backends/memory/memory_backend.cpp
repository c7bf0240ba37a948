#include "memory_backend.hpp"

#include "tensor_handle_factory.hpp"
#include "workload_factory.hpp"

namespace memory_mock {
namespace {

constexpr char kFailImports[] = "fail_imports";

bool HasManager(Storage storage) {
  return storage == Storage::kDevice || storage == Storage::kMemfd;
}

ImportFailures CountImportFailures(const backplane::BackendOptions& options) {
  auto failures = std::make_shared<std::atomic<std::int64_t>>(0);
  for (const backplane::BackendOption& option : options.options) {
    if (option.name == kFailImports) *failures = option.value.int_value;
  }
  return failures;
}

void Check(backplane::Status status) {
  if (status != backplane::Status::kSuccess) {
    throw std::runtime_error(std::string("no memory manager: ") + backplane::GetStatusText(status));
  }
}

}  // namespace

const char* MemoryBackend::GetId() const {
  return kRow.name;
}

std::unique_ptr<backplane::IWorkloadFactory> MemoryBackend::CreateWorkloadFactory(
    const backplane::WorkloadFactoryArgs& /*args*/) const {
  return std::make_unique<WorkloadFactory>();
}

std::shared_ptr<const backplane::ILayerSupport> MemoryBackend::GetLayerSupport(
    const backplane::LayerSupportArgs& /*args*/) const {
  return std::make_shared<LayerSupport>();
}

void MemoryBackend::RegisterTensorHandleFactories(backplane::TensorHandleFactoryRegistry& registry,
                                                  const backplane::BackendCallArgs& args) const {
  const ImportFailures failures = CountImportFailures(*args.options);
  for (const Kind& kind : GetKinds()) {
    if (HasManager(kind.storage)) {
      Check(registry.RegisterMemoryManager(std::make_shared<MemoryManager>(kind.storage)));
    }
    // The host tells why when it refuses one, and goes on with the others.
    static_cast<void>(registry.RegisterFactory(
        std::make_unique<TensorHandleFactory>(kind, kind.Has(kImportFails) ? failures : nullptr)));
  }
}

std::vector<std::string> MemoryBackend::GetHandleFactoryPreferences(
    const backplane::BackendCallArgs& /*args*/) const {
  return GetScenario().preferences;
}

backplane::BackendCapabilities MemoryBackend::GetCapabilities() const {
  backplane::BackendCapabilities capabilities = TellCounters(GetAllocations().Count());
  if (GetScenario().habit == Habit::kHandsOverFences) {
    capabilities.emplace_back(backplane::kCapabilityFences, backplane::kAllFenceKinds);
  }
  return capabilities;
}

std::vector<backplane::OptionSchema> MemoryBackend::GetOptionSchemas() const {
  const bool is_declared = std::any_of(GetKinds().begin(), GetKinds().end(),
                                       [](const Kind& kind) { return kind.Has(kImportFails); });
  if (!is_declared) return {};
  backplane::OptionSchema schema;
  schema.name = kFailImports;
  schema.type = backplane::OptionType::kInt;
  schema.default_value = 0;
  schema.has_range = 1;
  schema.minimum = 0;
  schema.maximum = 1'000'000;
  schema.text = "How many imports of a loaded network fail before the first that succeeds.";
  return {schema};
}

}  // namespace memory_mock

BACKPLANE_BACKEND(memory_mock::MemoryBackend, backplane::mock::kRow.name);
