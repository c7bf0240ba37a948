#include "isolation/isolation_rules.hpp"

#include <fnmatch.h>

namespace backplane::isolation {
namespace {

bool Means(const std::string& pattern, const std::string& id, const std::string& file_name) {
  return fnmatch(pattern.c_str(), id.c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), file_name.c_str(), 0) == 0;
}

}  // namespace

bool HasRules(const ScanOptions& options) {
  return !options.isolation.rules.empty() || !options.configuration.isolated.empty();
}

bool IsIsolated(const ScanOptions& options, const std::string& id, const std::string& path) {
  const std::string file_name = path.substr(path.find_last_of('/') + 1);
  bool is_isolated = false;
  for (const Setting& setting : options.configuration.isolated) {
    if (Means(setting.value, id, file_name)) is_isolated = true;
  }
  for (const IsolationRule& rule : options.isolation.rules) {
    if (Means(rule.backend, id, file_name)) is_isolated = rule.isolation == Isolation::kProcess;
  }
  return is_isolated;
}

bool IsToBeIsolated(const ScanOptions& options, const Candidate& candidate) {
  return candidate.identity && candidate.where == ProbedIn::kChild &&
         IsIsolated(options, candidate.identity->id, candidate.path);
}

}  // namespace backplane::isolation
