#include "create_runtime.hpp"

#include <backplane/host/options.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace backplane::execute_network {
namespace {

using Schemas = std::vector<OptionSchema>;

CreationOptions MakeCreationOptions(const Options& options) {
  CreationOptions creation_options;
  creation_options.dynamic_backends_path = options.backends_path;
  creation_options.disabled_backends = options.disabled;
  creation_options.trust = options.trust;
  creation_options.probe = options.probe;
  creation_options.probe_settings = options.probe_settings;
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

}  // namespace

PreparedRuntime CreateRuntime(const Options& options) {
  CreationOptions creation_options = MakeCreationOptions(options);
  PreparedRuntime prepared;
  prepared.runtime = IRuntime::Create(creation_options);
  if (options.backend_options.empty()) return prepared;
  // A first runtime tells which types the options have; the second gets them.
  prepared.backend_options =
      ReadOptions(prepared.runtime->GetDeviceSpec().GetRegistry(), options.backend_options);
  prepared.runtime.reset();
  creation_options.backend_options = prepared.backend_options;
  prepared.runtime = IRuntime::Create(creation_options);
  return prepared;
}

}  // namespace backplane::execute_network
