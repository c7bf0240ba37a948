#include "sandbox/worker_environment.hpp"

#include <algorithm>
#include <string_view>

namespace backplane::sandbox {
namespace {

constexpr struct {
  std::string_view pattern;
  bool is_binding;
} kVariables[] = {
#define BACKPLANE_WORKER_VARIABLE(name) {name, false},
#define BACKPLANE_BINDING_VARIABLE(name) {name, true},
#include "sandbox/worker_environment.def"
#undef BACKPLANE_BINDING_VARIABLE
#undef BACKPLANE_WORKER_VARIABLE
};

bool Means(std::string_view pattern, std::string_view name) {
  if (pattern.empty() || pattern.back() != '*') return pattern == name;
  return name.substr(0, pattern.size() - 1) == pattern.substr(0, pattern.size() - 1);
}

bool IsPassed(std::string_view name, const std::vector<std::string>& passed, bool is_sandboxed) {
  // By it the loader would tell everything of itself in what the backend writes.
  if (Means("LD_DEBUG*", name)) return false;
  const auto means_it = [&](std::string_view pattern) { return Means(pattern, name); };
  if (std::any_of(passed.begin(), passed.end(), means_it)) return true;
  bool is_needed = false;
  for (const auto& [pattern, is_binding] : kVariables) {
    if (!means_it(pattern)) continue;
    if (is_binding && is_sandboxed) return false;
    is_needed = is_needed || !is_binding;
  }
  return is_needed;
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
