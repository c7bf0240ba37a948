#pragma once

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/host/dynamic_backend.hpp>
#include <backplane/host/factory_collector.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::check_backend {

/// The backend as a host has it: opened, with a context, and with what it registered. What its
/// functions throw comes through.
///
/// Threads: one, but for what the interfaces allow on several.
class Plugin {
 public:
  /// Errors: DiagnosticException when it does not come to the stage "register".
  explicit Plugin(const std::string& path);
  ~Plugin();
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  const std::string& GetId() const { return options_.backend_id; }
  IBackendInternal& GetBackend() const { return *backend_.Share(); }
  /// Null: the backend has none.
  IBackendContext* GetContext() const { return context_.get(); }
  ILogger& GetLogger() const;
  const std::shared_ptr<const PluginOrigin>& GetOrigin() const { return backend_.GetOrigin(); }
  BackendCapabilities GetCapabilities() const { return GetBackend().GetCapabilities(); }
  /// Whether it states a bool that is true, or a number other than 0.
  bool HasCapability(const char* name) const;

  std::shared_ptr<const ILayerSupport> GetSupport() const;
  /// Never null.
  std::unique_ptr<IWorkloadFactory> MakeFactory() const { return MakeFactory(MakeFactoryArgs()); }
  std::unique_ptr<IWorkloadFactory> MakeFactory(const WorkloadFactoryArgs& args) const;
  BackendCallArgs MakeCallArgs() const;
  BackendContextArgs MakeContextArgs() const;
  LayerSupportArgs MakeSupportArgs() const;
  WorkloadFactoryArgs MakeFactoryArgs() const;

  /// The kinds of tensor memory that it registers, anew at each call.
  RegisteredMemory RegisterMemory() const;
  std::vector<std::string> GetPreferences() const;

 private:
  std::shared_ptr<DynamicBackend> library_;
  PluginObject<IBackendInternal> backend_;
  BackendOptions options_;
  std::unique_ptr<IBackendContext> context_;
};

}  // namespace backplane::check_backend
