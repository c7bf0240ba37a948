#include "harness/plugin.hpp"

#include "harness/linked_code.hpp"

#include <stdexcept>
#include <utility>

namespace backplane::check_backend {

Plugin::Plugin(const std::string& path)
    : library_(DynamicBackend::Open(path)), backend_(library_->CreateBackend()) {
  RememberLinkedCode(path);
  options_.backend_id = library_->GetBackendId();
  context_ = GetBackend().CreateBackendContext(MakeContextArgs());
}

Plugin::~Plugin() = default;

ILogger& Plugin::GetLogger() const {
  return *backend_.GetOrigin()->logger;
}

bool Plugin::HasCapability(const char* name) const {
  for (const BackendOption& capability : GetCapabilities()) {
    if (capability.name == name) return capability.value.int_value != 0;
  }
  return false;
}

std::shared_ptr<const ILayerSupport> Plugin::GetSupport() const {
  auto support = GetBackend().GetLayerSupport(MakeSupportArgs());
  if (support == nullptr) throw std::runtime_error("GetLayerSupport gave null");
  return support;
}

std::unique_ptr<IWorkloadFactory> Plugin::MakeFactory(const WorkloadFactoryArgs& args) const {
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

BackendContextArgs Plugin::MakeContextArgs() const {
  BackendContextArgs args;
  args.options = &options_;
  args.logger = &GetLogger();
  return args;
}

LayerSupportArgs Plugin::MakeSupportArgs() const {
  LayerSupportArgs args;
  args.context = GetContext();
  return args;
}

WorkloadFactoryArgs Plugin::MakeFactoryArgs() const {
  WorkloadFactoryArgs args;
  args.options = &options_;
  args.logger = &GetLogger();
  args.context = GetContext();
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
