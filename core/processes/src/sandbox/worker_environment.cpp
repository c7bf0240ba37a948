#include "sandbox/worker_environment.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace backplane::sandbox {
namespace {

constexpr std::string_view kVariables[] = {
#define BACKPLANE_WORKER_VARIABLE(name) name,
#define BACKPLANE_BINDING_VARIABLE(name)
#include "sandbox/worker_environment.def"
#undef BACKPLANE_BINDING_VARIABLE
#undef BACKPLANE_WORKER_VARIABLE
};

constexpr std::string_view kBindingVariables[] = {
#define BACKPLANE_WORKER_VARIABLE(name)
#define BACKPLANE_BINDING_VARIABLE(name) name,
#include "sandbox/worker_environment.def"
#undef BACKPLANE_BINDING_VARIABLE
#undef BACKPLANE_WORKER_VARIABLE
};

bool Means(std::string_view pattern, std::string_view name) {
  if (pattern.empty() || pattern.back() != '*') return pattern == name;
  return name.substr(0, pattern.size() - 1) == pattern.substr(0, pattern.size() - 1);
}

template <typename Patterns>
bool AnyMeans(const Patterns& patterns, std::string_view name) {
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [&](std::string_view pattern) { return Means(pattern, name); });
}

bool IsPassed(std::string_view name, const std::vector<std::string>& passed, bool is_sandboxed) {
  // By it the loader would tell everything of itself in what the backend writes.
  if (Means("LD_DEBUG*", name)) return false;
  if (AnyMeans(passed, name)) return true;
  const bool binds = is_sandboxed && AnyMeans(kBindingVariables, name);
  return AnyMeans(kVariables, name) && !binds;
}

}  // namespace

std::vector<std::string> MakeWorkerEnvironment(const char* const* environment,
                                               const std::vector<std::string>& passed,
                                               bool is_sandboxed) {
  std::vector<std::string> variables;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view variable = *environment;
    if (IsPassed(variable.substr(0, variable.find('=')), passed, is_sandboxed))
      variables.emplace_back(variable);
  }
  return variables;
}

}  // namespace backplane::sandbox
