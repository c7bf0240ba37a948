#include "harness/plugin.hpp"

#include <stdexcept>
#include <utility>

namespace backplane::check_backend {

Plugin::Plugin(const std::string& path)
    : library_(DynamicBackend::Open(path)), backend_(library_->CreateBackend()) {
  options_.backend_id = library_->GetBackendId();
  BackendContextArgs args;
  args.options = &options_;
  args.logger = &GetLogger();
  context_ = GetBackend().CreateBackendContext(args);
}

Plugin::~Plugin() = default;

ILogger& Plugin::GetLogger() const {
  return *backend_.GetOrigin()->logger;
}

bool Plugin::HasCapability(const char* name) const {
  for (const BackendOption& capability : GetCapabilities()) {
    if (capability.name == name) return capability.value == OptionValue(true);
  }
  return false;
}

std::shared_ptr<const ILayerSupport> Plugin::GetSupport() const {
  LayerSupportArgs args;
  args.context = GetContext();
  auto support = GetBackend().GetLayerSupport(args);
  if (support == nullptr) throw std::runtime_error("GetLayerSupport gave null");
  return support;
}

std::shared_ptr<IMemoryManager> Plugin::MakeMemoryManager() const {
  return GetBackend().CreateMemoryManager(MakeCallArgs());
}

std::unique_ptr<IWorkloadFactory> Plugin::MakeFactory() const {
  WorkloadFactoryArgs args;
  args.memory_manager = MakeMemoryManager();
  args.options = &options_;
  args.logger = &GetLogger();
  args.context = GetContext();
  auto factory = GetBackend().CreateWorkloadFactory(args);
  if (factory == nullptr) throw std::runtime_error("CreateWorkloadFactory gave null");
  return factory;
}

BackendCallArgs Plugin::MakeCallArgs() const {
  BackendCallArgs args;
  args.context = GetContext();
  args.options = &options_;
  args.logger = &GetLogger();
  return args;
}

RegisteredMemory Plugin::RegisterMemory() const {
  FactoryCollector collector(backend_.GetOrigin());
  GetBackend().RegisterTensorHandleFactories(collector, MakeCallArgs());
  return collector.Take();
}

std::vector<std::string> Plugin::GetPreferences() const {
  return GetBackend().GetHandleFactoryPreferences(MakeCallArgs());
}

}  // namespace backplane::check_backend
