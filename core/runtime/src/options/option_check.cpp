#include "options/option_check.hpp"

#include <backplane/host/diagnostic.hpp>

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

const char* GetTypeName(OptionType type) {
  switch (type) {
    case OptionType::kBool:
      return "bool";
    case OptionType::kInt:
      return "int";
    case OptionType::kFloat:
      return "float";
    case OptionType::kString:
      return "string";
  }
  return "value of an unknown type";
}

std::string DescribeValue(const OptionValue& value) {
  switch (value.type) {
    case OptionType::kBool:
      return value.int_value != 0 ? "true" : "false";
    case OptionType::kInt:
      return std::to_string(value.int_value);
    case OptionType::kFloat:
      return std::to_string(value.float_value);
    case OptionType::kString:
      return "\"" + value.string_value + "\"";
  }
  return "a value";
}

bool IsInRange(const OptionValue& value, const OptionSchema& schema) {
  if (!schema.has_range) return true;
  if (schema.type == OptionType::kInt) {
    return value.int_value >= schema.minimum.int_value &&
           value.int_value <= schema.maximum.int_value;
  }
  // Written so that a value that is not a number is outside.
  return schema.type != OptionType::kFloat || (value.float_value >= schema.minimum.float_value &&
                                               value.float_value <= schema.maximum.float_value);
}

bool IsAllowedString(const OptionValue& value, const OptionSchema& schema) {
  if (schema.type != OptionType::kString || schema.allowed_strings.empty()) return true;
  return std::find(schema.allowed_strings.begin(), schema.allowed_strings.end(),
                   value.string_value) != schema.allowed_strings.end();
}

std::string DescribeAllowed(const OptionSchema& schema) {
  std::string text = std::string("a ") + GetTypeName(schema.type);
  if (schema.has_range) {
    text += " from " + DescribeValue(schema.minimum) + " to " + DescribeValue(schema.maximum);
  }
  for (std::size_t i = 0; i < schema.allowed_strings.size(); ++i) {
    text += (i == 0 ? ", one of \"" : "\", \"") + schema.allowed_strings[i];
  }
  return schema.allowed_strings.empty() ? text : text + "\"";
}

void CheckOption(const std::string& backend_id, const std::vector<OptionSchema>& schemas,
                 BackendOption& option, std::vector<Diagnostic>& mistakes) {
  const auto schema = std::find_if(schemas.begin(), schemas.end(), [&](const OptionSchema& entry) {
    return entry.name == option.name;
  });
  if (schema == schemas.end()) {
    mistakes.push_back(DescribeUnknown(backend_id, option, schemas));
    return;
  }
  if (schema->type == OptionType::kFloat && option.value.type == OptionType::kInt) {
    option.value = OptionValue(static_cast<double>(option.value.int_value));
  }
  if (option.value.type == schema->type && IsInRange(option.value, *schema) &&
      IsAllowedString(option.value, *schema)) {
    return;
  }
  Diagnostic mistake = MakeOptionDiagnostic(DiagnosticCode::kInvalidOption, backend_id, option,
                                            "has a value that is not allowed");
  mistake.why = std::string("found the ") + GetTypeName(option.value.type) + " " +
                DescribeValue(option.value) + "; expected " + DescribeAllowed(*schema);
  mistake.fix = "give " + DescribeAllowed(*schema);
  mistakes.push_back(std::move(mistake));
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
                            const std::vector<BackendOptions>& given) {
  BackendOptions collected;
  collected.backend_id = backend_id;
  std::vector<Diagnostic> mistakes;
  for (const BackendOptions& group : given) {
    if (group.backend_id != backend_id) continue;
    for (BackendOption option : group.options) {
      CheckOption(backend_id, schemas, option, mistakes);
      collected.options.push_back(std::move(option));
    }
  }
  if (!mistakes.empty()) ThrowMistakes(backend_id, std::move(mistakes));
  return collected;
}

BackendOptions CollectOptions(const PluginObject<IBackendInternal>& backend,
                              const std::vector<BackendOptions>& given) {
  auto schemas = backend.Call<&IBackendInternal::GetOptionSchemas>();
  return CheckOptions(backend.GetOrigin()->backend_id, schemas.GetOrThrow(), given);
}

void CheckOptionTargets(const BackendRegistry& registry, const std::vector<BackendOptions>& given) {
  for (const BackendOptions& group : given) {
    try {
      registry.GetRegistration(group.backend_id);
    } catch (const DiagnosticException& exception) {
      if (exception.GetDiagnostic().code != DiagnosticCode::kBackendRejected) throw;
    }
  }
}

}  // namespace backplane
