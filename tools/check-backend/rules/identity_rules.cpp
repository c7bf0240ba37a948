// What a backend says of itself.

#include "harness/session.hpp"

#include <backplane/host/capabilities.hpp>
#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <set>
#include <string>

namespace backplane::check_backend {
namespace {

std::string Quote(const std::string& text) {
  return "\"" + EscapeForDisplay(text) + "\"";
}

std::string Describe(const OptionValue& value) {
  return EscapeForDisplay(ToText(value));
}

double GetNumber(const OptionValue& value) {
  return value.type == OptionType::kFloat ? value.float_value
                                          : static_cast<double>(value.int_value);
}

void CheckCapability(Session& session, const BackendOption& capability) {
  struct Known {
    const char* name;
    OptionType type;
  };
  for (const Known& known :
       {Known{kCapabilityRank, OptionType::kInt}, Known{kCapabilityAllOrNothing, OptionType::kBool},
        Known{kCapabilityProtectedMemory, OptionType::kBool},
        Known{kCapabilityCustomAllocator, OptionType::kBool},
        Known{kCapabilityInPlace, OptionType::kBool}, Known{kCapabilityStop, OptionType::kBool},
        Known{kCapabilityFences, OptionType::kInt},
        Known{kCapabilityCrossingTime, OptionType::kFloat},
        Known{kCapabilityCrossingRate, OptionType::kFloat},
        Known{kCapabilityLaunchTime, OptionType::kFloat},
        Known{kCapabilityComputeRate, OptionType::kFloat}}) {
    if (capability.name != known.name) continue;
    session.Expect(
        capability.value.type == known.type,
        std::string(known.name) + " is of type " + GetOptionTypeName(capability.value.type),
        GetOptionTypeName(known.type));
  }
}

std::string Describe(const BackendCapabilities& capabilities, std::size_t index) {
  if (index >= capabilities.size()) return "nothing";
  return capabilities[index].name + " = " + Describe(capabilities[index].value);
}

/// The first capability that is another one the second time; "" when none is.
std::string FindChange(const BackendCapabilities& first, const BackendCapabilities& second) {
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    const std::string before = Describe(first, i);
    const std::string after = Describe(second, i);
    if (before != after) return before + ", and the second time " + after;
  }
  return "";
}

void CheckDefault(Session& session, const OptionSchema& schema) {
  session.Expect(schema.default_value.type == schema.type,
                 "the default of " + Quote(schema.name) + " is of type " +
                     GetOptionTypeName(schema.default_value.type),
                 std::string(GetOptionTypeName(schema.type)) + ", as the option");
  if (schema.has_range != 0) {
    const bool is_number = schema.type == OptionType::kInt || schema.type == OptionType::kFloat;
    session.Expect(
        is_number && schema.minimum.type == schema.type && schema.maximum.type == schema.type,
        Quote(schema.name) + " has a range that is not of its type",
        "a range of numbers of the option's type");
    const double value = GetNumber(schema.default_value);
    session.Expect(GetNumber(schema.minimum) <= value && value <= GetNumber(schema.maximum),
                   "the default of " + Quote(schema.name) + ", " + Describe(schema.default_value) +
                       ", lies outside of " + Describe(schema.minimum) + " to " +
                       Describe(schema.maximum),
                   "a default that users could give, too");
  }
  const auto& allowed = schema.allowed_strings;
  const bool is_allowed =
      allowed.empty() ||
      std::find(allowed.begin(), allowed.end(), schema.default_value.string_value) != allowed.end();
  session.Expect(is_allowed,
                 "the default of " + Quote(schema.name) + ", " + Describe(schema.default_value) +
                     ", is not among the allowed strings",
                 "a default that users could give, too");
}

}  // namespace

void CheckIdIsOne(Session& session) {
  Plugin& plugin = session.GetPlugin();
  if (!session.Begin("starts the backend twice")) return;
  const char* const id = plugin.GetBackend().GetId();
  if (!session.Expect(id != nullptr, "GetId returned null", "the id")) return;
  session.Expect(plugin.GetId() == id, "GetId returned " + Quote(id),
                 "what GetBackendId returns, " + Quote(plugin.GetId()));
  const Plugin other(session.GetPath());
  const char* const other_id = other.GetBackend().GetId();
  session.Expect(other_id != nullptr && plugin.GetId() == other_id,
                 "another object returned another id", "the same id");
}

void CheckCapabilitiesAreWellFormed(Session& session) {
  Plugin& plugin = session.GetPlugin();
  if (!session.Begin("asks for the capabilities twice")) return;
  const BackendCapabilities capabilities = plugin.GetCapabilities();
  const std::string change = FindChange(capabilities, plugin.GetCapabilities());
  session.Expect(change.empty(), change, "the same at each call");
  std::set<std::string> names;
  for (const BackendOption& capability : capabilities) {
    session.Expect(!capability.name.empty(), "a capability without a name", "a name for each");
    session.Expect(names.insert(capability.name).second,
                   "the capability " + Quote(capability.name) + " twice", "each once");
    CheckCapability(session, capability);
  }
}

void CheckOptionsAreWellFormed(Session& session) {
  Plugin& plugin = session.GetPlugin();
  const std::vector<OptionSchema> schemas = plugin.GetBackend().GetOptionSchemas();
  if (schemas.empty()) return session.Skip("the backend declares no options");
  std::set<std::string> names;
  for (const OptionSchema& schema : schemas) {
    if (!session.Begin("reads the schema of the option " + Quote(schema.name))) continue;
    const bool is_name =
        !schema.name.empty() && schema.name.find_first_of(" \t\n=:,") == std::string::npos;
    session.Expect(is_name, "the name " + Quote(schema.name),
                   "a name that users can write on a command line");
    session.Expect(names.insert(schema.name).second, "the option a second time", "each once");
    session.Expect(schema.type >= OptionType::kBool && schema.type <= OptionType::kString,
                   std::string("an option of ") + GetOptionTypeName(schema.type),
                   "bool, int, float or string");
    CheckDefault(session, schema);
  }
}

void CheckOptionsAreExplained(Session& session) {
  const std::vector<OptionSchema> schemas = session.GetPlugin().GetBackend().GetOptionSchemas();
  if (schemas.empty()) return session.Skip("the backend declares no options");
  for (const OptionSchema& schema : schemas) {
    if (!session.Begin("reads the text of the option " + Quote(schema.name))) continue;
    session.Expect(!schema.text.empty(), "no text", "one sentence for users");
  }
}

}  // namespace backplane::check_backend
