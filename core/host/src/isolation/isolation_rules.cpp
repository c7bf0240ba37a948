#include "isolation/isolation_rules.hpp"

#include "diagnostics/file_words.hpp"
#include "files/backend_pattern.hpp"

#include <algorithm>
#include <vector>

namespace backplane::isolation {
namespace {

bool AnyMeans(const std::vector<Setting>& settings, const std::string& id,
              const std::string& path) {
  return std::any_of(settings.begin(), settings.end(), [&](const Setting& setting) {
    return files::RestrictsBackend(setting.value, id, diagnostics::GetFileName(path));
  });
}

}  // namespace

bool HasRules(const ScanOptions& options) {
  return !options.isolation.rules.empty() || !options.configuration.isolated.empty() ||
         !options.configuration.sandboxed.empty();
}

bool IsIsolated(const ScanOptions& options, const std::string& id, const std::string& path) {
  bool is_isolated = AnyMeans(options.configuration.isolated, id, path);
  for (const IsolationRule& rule : options.isolation.rules) {
    const bool isolates = rule.isolation == Isolation::kProcess;
    const auto& means = isolates ? files::RestrictsBackend : files::MeansIdOrFile;
    if (means(rule.backend, id, diagnostics::GetFileName(path))) is_isolated = isolates;
  }
  return is_isolated || AnyMeans(options.configuration.sandboxed, id, path);
}

probing::SandboxPlan PlanSandbox(const ScanOptions& options, const BackendIdentity* identity,
                                 const std::string& path) {
  probing::SandboxPlan plan;
  plan.variables = options.isolation.environment;
  for (const Setting& variable : options.configuration.passed_variables) {
    plan.variables.push_back(variable.value);
  }
  const std::vector<Setting>& sandboxed = options.configuration.sandboxed;
  if (identity == nullptr) {
    if (HasRules(options)) plan.sandbox = options.isolation.sandbox;
    if (!sandboxed.empty()) plan.sandbox = Sandbox::kRequired;
    return plan;
  }
  if (!IsIsolated(options, identity->id, path)) return plan;
  plan.sandbox =
      AnyMeans(sandboxed, identity->id, path) ? Sandbox::kRequired : options.isolation.sandbox;
  if (plan.sandbox != Sandbox::kNone && !ArePermissionsRefused(options, identity->id, path)) {
    plan.permissions = identity->permissions;
  }
  return plan;
}

bool ArePermissionsRefused(const ScanOptions& options, const std::string& id,
                           const std::string& path) {
  return options.isolation.permissions == SandboxPermissions::kRefused ||
         AnyMeans(options.configuration.refused_permissions, id, path);
}

bool IsToBeIsolated(const ScanOptions& options, const Candidate& candidate) {
  return candidate.identity && candidate.where == ProbedIn::kChild &&
         IsIsolated(options, candidate.identity->id, candidate.path);
}

}  // namespace backplane::isolation
