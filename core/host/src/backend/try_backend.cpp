#include "backend/try_backend.hpp"

#include "backend/create_backend.hpp"
#include "backend/make_context.hpp"

#include <backplane/host/factory_collector.hpp>
#include <backplane/host/thread_places.hpp>

#include <memory>
#include <string>
#include <utility>

namespace backplane::backend {
namespace {

Diagnostic DescribeDisagreement(const std::string& id, const std::string& source,
                                const char* found) {
  Diagnostic diagnostic{DiagnosticCode::kBackendIdDisagrees};
  diagnostic.subject = {SubjectKind::kFile, source};
  diagnostic.what = "the two ids of " + source + " disagree";
  diagnostic.why = "GetBackendId returned \"" + id + "\", the backend's own GetId returned " +
                   (found != nullptr ? "\"" + std::string(found) + "\"" : "a null pointer");
  diagnostic.fix = "the backend's vendor must return the same id from both";
  return diagnostic;
}

std::string DescribeOperator(const OperatorDeclaration& one) {
  const std::string from = std::to_string(one.version_from);
  return one.domain + '/' + one.type + '/' +
         (one.version_from == one.version_to ? from : from + '-' + std::to_string(one.version_to));
}

/// One attempt, question by question.
class Attempt {
 public:
  Attempt(PluginObject<IBackendInternal> backend, const TrialRequest& request, Trial& trial)
      : backend_(std::move(backend)), request_(request), trial_(trial) {}
  ~Attempt() { AnnounceCall(request_.observer, "the destructor of its backend"); }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  void Run(const std::string& source) {
    const CallScope scope([&] { return "in " + source + ", of which a backend was made"; });
    if (!CheckId(source) || !AskCapabilities()) return;
    if (request_.context != nullptr) CreateContext();
    if (request_.questions == Questions::kAll && AskOptions() && AskOperators()) {
      AskFactories();
    }
  }

 private:
  /// Calls a function of the backend; false when it threw.
  template <auto kFunction, typename Take, typename... Args>
  bool Ask(Take&& take, Args&&... args) {
    AnnounceCall(request_.observer, FunctionInfo<kFunction>::kName);
    auto result = backend_.Call<kFunction>(std::forward<Args>(args)...);
    if (result.HasFailed()) {
      trial_.failure = std::move(*result.failure);
      return false;
    }
    take(std::move(result.value));
    return true;
  }

  bool CheckId(const std::string& source) {
    const std::string& expected = backend_.GetOrigin()->backend_id;
    return Ask<&IBackendInternal::GetId>([&](const char* id) {
             if (id == nullptr || expected != id) {
               trial_.failure = DescribeDisagreement(expected, source, id);
             }
           }) &&
           !trial_.failure;
  }

  bool AskCapabilities() {
    return Ask<&IBackendInternal::GetCapabilities>(
        [&](BackendCapabilities capabilities) { trial_.capabilities = std::move(capabilities); });
  }

  void CreateContext() {
    trial_.context =
        MakeContext(backend_, trial_.capabilities, *request_.context, request_.observer);
  }

  bool AskOptions() {
    return Ask<&IBackendInternal::GetOptionSchemas>(
        [&](std::vector<OptionSchema> schemas) { trial_.option_schemas = std::move(schemas); });
  }

  bool AskOperators() {
    return Ask<&IBackendInternal::GetOperators>(
        [&](const std::vector<OperatorDeclaration>& operators) {
          trial_.operators.emplace();
          for (const OperatorDeclaration& one : operators) {
            trial_.operators->push_back(DescribeOperator(one));
          }
        });
  }

  void AskFactories() {
    FactoryCollector collector(backend_.GetOrigin(), {}, request_.observer);
    BackendCallArgs args;
    const BackendOptions none{backend_.GetOrigin()->backend_id, {}};
    args.context = trial_.context.context.Share().get();
    args.options = &none;
    args.logger = backend_.GetOrigin()->logger.get();
    Ask<&IBackendInternal::RegisterTensorHandleFactories>([](plugin_call::Nothing) {}, collector,
                                                          args);
    for (const RegisteredFactory& factory : collector.Get().factories) {
      trial_.tensor_handle_factories.push_back(factory.id);
    }
    trial_.warnings = collector.Get().refusals;
  }

  PluginObject<IBackendInternal> backend_;
  const TrialRequest& request_;
  Trial& trial_;
};

}  // namespace

Trial TryBackend(const BackendRegistration& registration, const TrialRequest& request) {
  Trial trial;
  try {
    AnnounceCall(request.observer, "BackendFactory");
    Attempt(CreateBackend(registration), request, trial).Run(registration.source);
  } catch (const DiagnosticException& exception) {
    trial.failure = exception.GetDiagnostic();
  }
  return trial;
}

}  // namespace backplane::backend
