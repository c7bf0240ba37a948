#include "backend/option_schema.hpp"

#include <backplane/host/capabilities.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/late_backend.hpp>
#include <backplane/host/options.hpp>

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

Diagnostic MakeOptionDiagnostic(DiagnosticCode code, const std::string& backend_id,
                                const BackendOption& option, const std::string& problem) {
  Diagnostic diagnostic{code};
  diagnostic.subject = {SubjectKind::kOption, backend_id + ":" + option.name};
  diagnostic.what = "option \"" + option.name + "\" of backend \"" + backend_id + "\" " + problem;
  return diagnostic;
}

Diagnostic DescribeUnknown(const std::string& backend_id, const BackendOption& option,
                           const std::vector<OptionSchema>& schemas) {
  std::vector<std::string> names;
  std::string list;
  for (const OptionSchema& schema : schemas) {
    names.push_back(schema.name);
    list += (list.empty() ? "" : ", ") + schema.name;
  }
  Diagnostic diagnostic =
      MakeOptionDiagnostic(DiagnosticCode::kUnknownOption, backend_id, option, "is not known");
  diagnostic.why = list.empty() ? "the backend has no options" : "its options are " + list;
  const std::string nearest = FindNearestName(option.name, names);
  diagnostic.fix = nearest.empty() ? "leave the option out" : "did you mean \"" + nearest + "\"?";
  return diagnostic;
}

Diagnostic DescribeMisplaced(const std::string& backend_id, const BackendOption& option,
                             OptionPlace place) {
  const bool is_of_network = place == OptionPlace::kNetwork;
  Diagnostic diagnostic = MakeOptionDiagnostic(DiagnosticCode::kInvalidOption, backend_id, option,
                                               "is given in the wrong place");
  diagnostic.why = is_of_network ? "found it among the options of a network; expected it among "
                                   "those of the runtime"
                                 : "found it among the options of the runtime; expected it among "
                                   "those of a network";
  diagnostic.fix = is_of_network ? "give it in CreationOptions::backend_options"
                                 : "give it in OptimizerOptions::model_options";
  return diagnostic;
}

void CheckOption(const std::string& backend_id, const std::vector<OptionSchema>& schemas,
                 OptionPlace place, BackendOption& option, std::vector<Diagnostic>& mistakes) {
  const auto schema = std::find_if(schemas.begin(), schemas.end(), [&](const OptionSchema& entry) {
    return entry.name == option.name;
  });
  if (schema == schemas.end()) {
    mistakes.push_back(DescribeUnknown(backend_id, option, schemas));
    return;
  }
  const auto here = static_cast<std::uint32_t>(place);
  if (here != 0 && schema->places != 0 && (schema->places & here) == 0) {
    mistakes.push_back(DescribeMisplaced(backend_id, option, place));
    return;
  }
  if (schema->type == OptionType::kFloat && option.value.type == OptionType::kInt) {
    option.value = OptionValue(static_cast<double>(option.value.int_value));
  }
  if (backend::IsAllowed(option.value, *schema)) return;
  Diagnostic mistake = MakeOptionDiagnostic(DiagnosticCode::kInvalidOption, backend_id, option,
                                            "has a value that is not allowed");
  mistake.why = std::string("found the ") + GetOptionTypeName(option.value.type) + " " +
                ToText(option.value) + "; expected " + backend::DescribeAllowed(*schema);
  mistake.fix = "give " + backend::DescribeAllowed(*schema);
  mistakes.push_back(std::move(mistake));
}

Diagnostic DescribeSecond(const std::string& backend_id, const BackendOption& option) {
  Diagnostic diagnostic =
      MakeOptionDiagnostic(DiagnosticCode::kInvalidOption, backend_id, option, "is given twice");
  diagnostic.why = "found a second value, " + ToText(option.value) + "; expected one";
  diagnostic.fix = "give the option once";
  return diagnostic;
}

bool IsGiven(const std::string& name, const std::vector<BackendOption>& options) {
  return std::any_of(options.begin(), options.end(),
                     [&](const BackendOption& option) { return option.name == name; });
}

[[noreturn]] void ThrowMistakes(const std::string& backend_id, std::vector<Diagnostic> mistakes) {
  if (mistakes.size() == 1) throw DiagnosticException(std::move(mistakes.front()));
  Diagnostic diagnostic{mistakes.front().code};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what =
      std::to_string(mistakes.size()) + " options of backend \"" + backend_id + "\" cannot be used";
  diagnostic.why = "each is listed below";
  diagnostic.fix = "correct or leave out these options";
  diagnostic.causes = std::move(mistakes);
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

BackendOptions CheckOptions(const std::string& backend_id, const std::vector<OptionSchema>& schemas,
                            const std::vector<BackendOptions>& given, OptionPlace place) {
  BackendOptions collected;
  collected.backend_id = backend_id;
  std::vector<Diagnostic> mistakes;
  for (const BackendOptions& group : given) {
    if (group.backend_id != backend_id) continue;
    for (BackendOption option : group.options) {
      if (IsGiven(option.name, collected.options)) {
        mistakes.push_back(DescribeSecond(backend_id, option));
        continue;
      }
      CheckOption(backend_id, schemas, place, option, mistakes);
      collected.options.push_back(std::move(option));
    }
  }
  if (!mistakes.empty()) ThrowMistakes(backend_id, std::move(mistakes));
  return collected;
}

BackendOptions CollectOptions(const PluginObject<IBackendInternal>& backend,
                              const std::vector<BackendOptions>& given, OptionPlace place) {
  const std::string& id = backend.GetOrigin()->backend_id;
  auto schemas = backend.Call<&IBackendInternal::GetOptionSchemas>();
  return CheckOptions(id, schemas.GetOrThrow(), given, place);
}

std::vector<OptionSchema> GetOptionSchemas(const BackendRegistry& registry, const std::string& id) {
  const BackendRegistration registration = registry.GetRegistration(id);
  const auto* known = registration.late ? registration.late->GetKnownOptions() : nullptr;
  if (known != nullptr) return *known;
  const PluginObject<IBackendInternal> backend = registry.CreateBackend(id);
  auto schemas = backend.Call<&IBackendInternal::GetOptionSchemas>();
  return std::move(schemas.GetOrThrow());
}

void RequireKnownBackend(const BackendRegistry& registry, const std::string& id) {
  try {
    registry.GetRegistration(id);
  } catch (const DiagnosticException& exception) {
    if (exception.GetDiagnostic().code != DiagnosticCode::kBackendRejected) throw;
  }
}

bool IsMistakeInOptions(const Diagnostic& diagnostic) {
  return diagnostic.code == DiagnosticCode::kUnknownOption ||
         diagnostic.code == DiagnosticCode::kInvalidOption;
}

}  // namespace backplane
