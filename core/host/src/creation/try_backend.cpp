#include "creation/try_backend.hpp"

#include "registration/create_backend.hpp"

#include <memory>
#include <string>
#include <utility>

namespace backplane::creation {
namespace {

Diagnostic DescribeDisagreement(const BackendRegistration& registration, const char* found) {
  const std::string& id = registration.origin->backend_id;
  Diagnostic diagnostic{DiagnosticCode::kBackendIdDisagrees};
  diagnostic.subject = {SubjectKind::kFile, registration.source};
  diagnostic.what = "the two ids of " + registration.source + " disagree";
  diagnostic.why = "GetBackendId returned \"" + id + "\", the backend's own GetId returned " +
                   (found != nullptr ? "\"" + std::string(found) + "\"" : "a null pointer");
  diagnostic.fix = "the backend's vendor must return the same id from both";
  return diagnostic;
}

std::optional<Diagnostic> CheckId(const BackendRegistration& registration,
                                  const PluginObject<IBackendInternal>& backend) {
  auto id = backend.Call<&IBackendInternal::GetId>();
  if (id.HasFailed()) return std::move(*id.failure);
  if (id.value != nullptr && registration.origin->backend_id == id.value) return std::nullopt;
  return DescribeDisagreement(registration, id.value);
}

std::optional<Diagnostic> CreateContext(const PluginObject<IBackendInternal>& backend,
                                        const BackendOptions& options, Trial& trial) {
  BackendContextArgs args;
  args.options = &options;
  args.logger = backend.GetOrigin()->logger.get();
  auto context = backend.Call<&IBackendInternal::CreateBackendContext>(args);
  if (context.HasFailed()) return std::move(*context.failure);
  trial.context = {std::move(context.value), backend.GetOrigin()};
  return std::nullopt;
}

}  // namespace

Trial TryBackend(const BackendRegistration& registration, const BackendOptions* options) {
  Trial trial;
  try {
    const auto backend = registration::CreateBackend(registration);
    trial.failure = CheckId(registration, backend);
    if (trial.failure) return trial;
    auto capabilities = backend.Call<&IBackendInternal::GetCapabilities>();
    if (capabilities.HasFailed()) {
      trial.failure = std::move(*capabilities.failure);
      return trial;
    }
    trial.capabilities = std::move(capabilities.value);
    if (options != nullptr) trial.failure = CreateContext(backend, *options, trial);
  } catch (const DiagnosticException& exception) {
    trial.failure = exception.GetDiagnostic();
  }
  return trial;
}

}  // namespace backplane::creation
