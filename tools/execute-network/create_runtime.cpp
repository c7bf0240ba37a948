#include "create_runtime.hpp"

#include <backplane/host/plugin_object.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <system_error>
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

Schemas GetSchemas(const BackendRegistry& registry, const std::string& id) {
  auto schemas = registry.CreateBackend(id).Call<&IBackendInternal::GetOptionSchemas>();
  return std::move(schemas.GetOrThrow());
}

template <typename Number>
std::optional<OptionValue> ReadNumber(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return OptionValue(number);
}

std::optional<OptionValue> ReadBool(const std::string& text) {
  if (text == "true" || text == "on" || text == "yes" || text == "1") return OptionValue(true);
  if (text == "false" || text == "off" || text == "no" || text == "0") return OptionValue(false);
  return std::nullopt;
}

std::optional<OptionValue> ReadValue(OptionType type, const std::string& text) {
  switch (type) {
    case OptionType::kBool:
      return ReadBool(text);
    case OptionType::kInt:
      return ReadNumber<std::int64_t>(text);
    case OptionType::kFloat:
      return ReadNumber<double>(text);
    case OptionType::kString:
      return OptionValue(text);
  }
  return std::nullopt;
}

// What cannot be read stays text: the runtime then says what it found and what the schema allows,
// of all options at once.
OptionValue ReadValue(const Schemas& schemas, const BackendOptionText& option) {
  const auto schema = std::find_if(schemas.begin(), schemas.end(), [&](const OptionSchema& entry) {
    return entry.name == option.name;
  });
  if (schema == schemas.end()) return option.text;
  return ReadValue(schema->type, option.text).value_or(option.text);
}

ModelOptions ReadOptions(const BackendRegistry& registry,
                         const std::vector<BackendOptionText>& options) {
  std::map<std::string, Schemas> schemas;
  ModelOptions groups;
  for (const BackendOptionText& option : options) {
    const std::string& id = option.backend_id;
    if (schemas.count(id) == 0) {
      schemas.emplace(id, GetSchemas(registry, id));
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
