#pragma once

#include <backplane/host/backend_registry.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane {

/// Declares one option of each type.
inline std::vector<OptionSchema> MakeSchemas() {
  OptionSchema threads;
  threads.name = "NumberOfThreads";
  threads.type = OptionType::kInt;
  threads.has_range = 1;
  threads.minimum = 1;
  threads.maximum = 64;
  OptionSchema share;
  share.name = "Share";
  share.type = OptionType::kFloat;
  share.has_range = 1;
  share.minimum = 0.0;
  share.maximum = 1.0;
  OptionSchema mode;
  mode.name = "Mode";
  mode.type = OptionType::kString;
  mode.allowed_strings = {"fast", "exact"};
  OptionSchema verbose;
  verbose.name = "Verbose";
  verbose.type = OptionType::kBool;
  OptionSchema seed;
  seed.name = "Seed";
  seed.type = OptionType::kInt;
  return {threads, share, mode, verbose, seed};
}

/// A backend that has options and capabilities, and nothing else.
class OptionsBackend final : public IBackendInternal {
 public:
  explicit OptionsBackend(BackendCapabilities capabilities)
      : capabilities_(std::move(capabilities)) {}

  const char* GetId() const override { return "A"; }
  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& /*args*/) const override {
    return nullptr;
  }
  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return nullptr;
  }
  BackendCapabilities GetCapabilities() const override { return capabilities_; }
  std::vector<OptionSchema> GetOptionSchemas() const override { return MakeSchemas(); }

 private:
  BackendCapabilities capabilities_;
};

/// Has this backend as "A".
inline void RegisterOptionsBackend(BackendRegistry& registry,
                                   const BackendCapabilities& capabilities = {}) {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = "A";
  origin->declared_version = kBackendApiVersion;
  BackendRegistration registration;
  registration.origin = std::move(origin);
  registration.source = "static";
  registration.factory = [capabilities] { return std::make_unique<OptionsBackend>(capabilities); };
  registry.Register(std::move(registration));
}

template <typename Action>
Diagnostic CatchMistake(const Action& action) {
  try {
    action();
  } catch (const DiagnosticException& exception) {
    return exception.GetDiagnostic();
  }
  ADD_FAILURE() << "no DiagnosticException was thrown";
  return Diagnostic{DiagnosticCode::kUsageError};
}

}  // namespace backplane
