#include "isolation/worker_environment.hpp"

#include <algorithm>
#include <string_view>

namespace backplane::isolation {
namespace {

constexpr std::string_view kVariables[] = {
#define BACKPLANE_WORKER_VARIABLE(name) name,
#include "isolation/worker_environment.def"
#undef BACKPLANE_WORKER_VARIABLE
};

bool Means(std::string_view pattern, std::string_view name) {
  if (pattern.empty() || pattern.back() != '*') return pattern == name;
  return name.substr(0, pattern.size() - 1) == pattern.substr(0, pattern.size() - 1);
}

bool IsPassed(std::string_view name, const std::vector<std::string>& passed) {
  // By it the loader would tell everything of itself in what the backend writes.
  if (Means("LD_DEBUG*", name)) return false;
  const auto means_it = [&](std::string_view pattern) { return Means(pattern, name); };
  return std::any_of(std::begin(kVariables), std::end(kVariables), means_it) ||
         std::any_of(passed.begin(), passed.end(), means_it);
}

}  // namespace

std::vector<std::string> MakeWorkerEnvironment(const char* const* environment,
                                               const std::vector<std::string>& passed) {
  std::vector<std::string> variables;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view variable = *environment;
    if (IsPassed(variable.substr(0, variable.find('=')), passed)) variables.emplace_back(variable);
  }
  return variables;
}

}  // namespace backplane::isolation
