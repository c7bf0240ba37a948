#include "running/create_runtime.hpp"

#include "running/run_guard.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/options.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace backplane::execute_network {
namespace {

using Schemas = std::vector<OptionSchema>;

CreationOptions MakeCreationOptions(const Options& options, const TensorObserver& observer) {
  CreationOptions creation_options;
  creation_options.tensor_observer = observer;
  creation_options.dynamic_backends_path = options.backends_path;
  creation_options.user_backends = options.user_backends;
  creation_options.disabled_backends = options.disabled;
  for (const std::string& backend : options.isolated) {
    creation_options.isolation.rules.push_back({backend, Isolation::kProcess});
  }
  if (options.sandbox != Sandbox::kNone && options.isolated.empty()) {
    creation_options.isolation.rules.push_back({"*", Isolation::kProcess});
  }
  creation_options.isolation.sandbox = options.sandbox;
  creation_options.isolation.permissions = options.permissions;
  creation_options.variants = options.variants;
  creation_options.trust = options.trust;
  creation_options.probe = options.probe;
  creation_options.probe_settings = options.probe_settings;
  creation_options.crash_notes = CrashNotes();
  creation_options.opening = Opening::kLazy;  // nothing is opened that no layer asks for
  creation_options.checks = options.checks;
  if (options.run_timeout_ms) creation_options.shutdown_timeout = kRunGrace;
  if (!options.trace_file.empty()) {
    creation_options.profiling.state = ProfilingState::kOn;
    creation_options.profiling.counters = CounterChoice::kAll;
  }
  return creation_options;
}

// What cannot be read stays text: the runtime then says what it found and what the schema allows,
// of all options at once.
OptionValue ReadValue(const Schemas& schemas, const OptionText& option) {
  const auto schema = std::find_if(schemas.begin(), schemas.end(), [&](const OptionSchema& entry) {
    return entry.name == option.name;
  });
  if (schema == schemas.end()) return option.value;
  return ReadOptionValue(schema->type, option.value).value_or(option.value);
}

ModelOptions ReadOptions(const BackendRegistry& registry, const std::vector<OptionText>& options) {
  std::map<std::string, Schemas> schemas;
  ModelOptions groups;
  for (const OptionText& option : options) {
    const std::string& id = option.backend_id;
    if (schemas.count(id) == 0) {
      schemas.emplace(id, GetOptionSchemas(registry, id));
      groups.push_back({id, {}});
    }
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const BackendOptions& entry) { return entry.backend_id == id; });
    group->options.push_back({option.name, ReadValue(schemas.at(id), option)});
  }
  return groups;
}

std::string Join(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : ", ") + id;
  return text;
}

constexpr char kThreads[] = "threads";

bool HasThreads(const BackendRegistry& registry, const std::string& id) {
  const Schemas schemas = GetOptionSchemas(registry, id);
  return std::any_of(schemas.begin(), schemas.end(), [](const OptionSchema& schema) {
    return schema.name == kThreads && schema.type == OptionType::kInt;
  });
}

bool IsGiven(const std::vector<OptionText>& options, const std::string& id) {
  return std::any_of(options.begin(), options.end(), [&](const OptionText& option) {
    return option.backend_id == id && option.name == kThreads;
  });
}

// Those that are demanded, for layers or to compare with.
std::vector<std::string> GetDemandedBackends(const Options& options) {
  std::vector<std::string> ids;
  for (const LayerBackend& layer : options.layer_backends) ids.push_back(layer.backend_id);
  if (!options.reference.empty()) ids.push_back(options.reference);
  return ids;
}

bool Contains(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// Each once, in the order of preference.
std::vector<std::string> GetNamedBackends(const Options& options) {
  std::vector<std::string> ids;
  for (const auto& named : {options.backends, GetDemandedBackends(options)}) {
    for (const std::string& id : named) {
      if (!Contains(ids, id)) ids.push_back(id);
    }
  }
  return ids;
}

// Those that may get a layer.
std::vector<std::string> GetUsedBackends(const BackendRegistry& registry, const Options& options) {
  return options.backends.empty() ? registry.GetBackendIds() : GetNamedBackends(options);
}

bool IsOfClash(const Diagnostic& cause) {
  switch (cause.code) {
#define BACKPLANE_CLASH(name, severity, text) case DiagnosticCode::k##name:
#include <backplane/host/clashes.def>
#undef BACKPLANE_CLASH
    return cause.severity == Severity::kError;
    case DiagnosticCode::kOpenFailed:
      // What earlier ones took of it, the loader alone knows exactly.
      return cause.why.find("static TLS") != std::string::npos;
    default:
      return false;
  }
}

// Whether a backend was not opened because it cannot be in one process with another one.
bool IsClash(const Diagnostic& failure) {
  return std::any_of(failure.causes.begin(), failure.causes.end(), IsOfClash);
}

Diagnostic DescribeStaysOut(const std::string& id, const Diagnostic& failure) {
  Diagnostic warning = failure;
  warning.severity = Severity::kWarning;
  warning.what =
      "backend \"" + id + "\" stays out, because one that --backends names before it is open";
  return warning;
}

// One that was asked for by name and cannot be used is an error, not a refusal of its layers. Of
// preferences that cannot be in one process, the first stays, and the others are warned of.
std::vector<Diagnostic> OpenNamedBackends(const BackendRegistry& registry, const Options& options) {
  const std::vector<std::string> demanded = GetDemandedBackends(options);
  std::vector<Diagnostic> warnings;
  for (const std::string& id : GetNamedBackends(options)) {
    try {
      registry.CreateBackend(id);
    } catch (const DiagnosticException& exception) {
      const bool may_stay_out = !Contains(demanded, id) && id != options.backends.front();
      if (!may_stay_out || !IsClash(exception.GetDiagnostic())) throw;
      warnings.push_back(DescribeStaysOut(id, exception.GetDiagnostic()));
    }
  }
  return warnings;
}

// The options that were given, and --threads for the backends that know it.
std::vector<OptionText> CollectTexts(const BackendRegistry& registry, const Options& options) {
  std::vector<OptionText> texts = options.backend_options;
  if (!options.threads) return texts;
  bool is_known = false;
  const std::vector<std::string> ids = GetUsedBackends(registry, options);
  for (const std::string& id : ids) {
    if (!HasThreads(registry, id)) continue;
    is_known = true;
    if (IsGiven(options.backend_options, id)) continue;
    texts.push_back({id, kThreads, std::to_string(*options.threads)});
  }
  if (is_known) return texts;
  Diagnostic diagnostic{DiagnosticCode::kUnknownOption};
  diagnostic.subject = {SubjectKind::kOption, "--threads"};
  diagnostic.what = "no backend knows how to run with --threads";
  diagnostic.why = "none of these has an option \"threads\": " + Join(ids);
  diagnostic.fix = "leave out --threads, or give another backend with --backends";
  throw DiagnosticException(diagnostic);
}

// Those that may be given there.
ModelOptions SelectOptions(const BackendRegistry& registry, const ModelOptions& options,
                           std::uint32_t place) {
  ModelOptions selected;
  for (const BackendOptions& group : options) {
    BackendOptions& kept = selected.emplace_back(group.backend_id, std::vector<BackendOption>());
    const std::vector<OptionSchema> schemas = GetOptionSchemas(registry, group.backend_id);
    for (const BackendOption& option : group.options) {
      const bool is_elsewhere =
          std::any_of(schemas.begin(), schemas.end(), [&](const OptionSchema& schema) {
            return schema.name == option.name && schema.places != 0 && (schema.places & place) == 0;
          });
      if (!is_elsewhere) kept.options.push_back(option);
    }
  }
  return selected;
}

}  // namespace

PreparedRuntime CreateRuntime(const Options& options, const TensorObserver& observer) {
  CreationOptions creation_options = MakeCreationOptions(options, observer);
  PreparedRuntime prepared;
  prepared.runtime = IRuntime::Create(creation_options);
  if (!options.backend_options.empty() || options.threads) {
    // A first runtime tells which types the options have; the second gets them.
    const BackendRegistry& registry = prepared.runtime->GetDeviceSpec().GetRegistry();
    const ModelOptions given = ReadOptions(registry, CollectTexts(registry, options));
    creation_options.backend_options = SelectOptions(registry, given, BP_OPTION_OF_CONTEXT);
    prepared.backend_options = SelectOptions(registry, given, BP_OPTION_OF_NETWORK);
    prepared.runtime.reset();
    prepared.runtime = IRuntime::Create(creation_options);
  }
  prepared.warnings = OpenNamedBackends(prepared.runtime->GetDeviceSpec().GetRegistry(), options);
  return prepared;
}

}  // namespace backplane::execute_network
