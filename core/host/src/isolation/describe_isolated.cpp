#include "isolation/describe_isolated.hpp"

#include "isolation/isolation_rules.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/permissions.hpp"

#include <string>
#include <utility>

namespace backplane::isolation {
namespace {

Diagnostic Describe(DiagnosticCode code, Severity severity, const Candidate& candidate,
                    const std::string& what, std::string why, std::string fix) {
  Diagnostic diagnostic{code, severity};
  diagnostic.subject = {SubjectKind::kBackend, candidate.identity->id};
  diagnostic.what = "backend \"" + candidate.identity->id + "\" " + what;
  diagnostic.why = std::move(why);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

Diagnostic DescribePermissions(const Candidate& candidate, const ScanOptions& options) {
  std::string list;
  for (const std::string& permission : candidate.identity->permissions) {
    list += (list.empty() ? "" : ", ") + sandbox::DescribePermission(permission);
  }
  const std::string why = "its manifest asks for " + list;
  if (ArePermissionsRefused(options, candidate.identity->id, candidate.path)) {
    return Describe(DiagnosticCode::kSandboxPermissions, Severity::kNote, candidate,
                    "runs in a sandbox without the permissions that it asks for", why,
                    "if it does not work so, allow them (SandboxPermissions::kGranted, and no "
                    "refuse_permissions for it)");
  }
  return Describe(DiagnosticCode::kSandboxPermissions, Severity::kNote, candidate,
                  "has its sandbox widened", why,
                  "to refuse it, set BACKPLANE_REFUSE_PERMISSIONS=" + candidate.identity->id);
}

}  // namespace

std::vector<Diagnostic> DescribeIsolated(const Candidate& candidate, const ScanOptions& options) {
  const auto plan = PlanSandbox(options, &*candidate.identity, candidate.path);
  const bool is_sandboxed = plan.sandbox != Sandbox::kNone;
  std::vector<Diagnostic> diagnostics;
  diagnostics.push_back(Describe(
      DiagnosticCode::kIsolated, Severity::kNote, candidate,
      is_sandboxed ? "runs in a process of its own, in a sandbox" : "runs in a process of its own",
      candidate.path + " fits a rule about isolation", "nothing needs to be done"));
  if (!is_sandboxed) return diagnostics;
  const std::string lack = sandbox::FindLackOfKernel();
  if (!lack.empty() && plan.sandbox == Sandbox::kWhereSupported) {
    diagnostics.push_back(Describe(
        DiagnosticCode::kSandboxPartial, Severity::kWarning, candidate,
        "runs in a part of the sandbox only", "this kernel lacks " + lack,
        "use a newer kernel, or demand the whole (Sandbox::kRequired) to keep the backend out"));
  }
  if (!candidate.identity->permissions.empty()) {
    diagnostics.push_back(DescribePermissions(candidate, options));
  }
  return diagnostics;
}

}  // namespace backplane::isolation
