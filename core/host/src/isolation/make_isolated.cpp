#include "isolation/make_isolated.hpp"

#include "isolation/isolation_rules.hpp"
#include "isolation/worker_life.hpp"
#include "probing/probe_file.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/permissions.hpp"

#include <backplane/host/logging.hpp>

#include <string>
#include <utility>

namespace backplane::isolation {
namespace {

Diagnostic Describe(DiagnosticCode code, Severity severity, const Candidate& candidate,
                    const std::string& what, std::string why, std::string fix) {
  const std::string& id = candidate.identity->id;
  return {
      code,           severity,      {SubjectKind::kBackend, id}, "backend \"" + id + "\" " + what,
      std::move(why), std::move(fix)};
}

Diagnostic DescribePermissions(const Candidate& candidate, const ScanOptions& options) {
  std::string list;
  for (const std::string& permission : candidate.identity->permissions) {
    list += (list.empty() ? "" : ", ") + sandbox::DescribePermission(permission);
  }
  const std::string& id = candidate.identity->id;
  const bool are_refused = ArePermissionsRefused(options, id, candidate.path);
  return Describe(DiagnosticCode::kSandboxPermissions, Severity::kNote, candidate,
                  are_refused ? "runs in a sandbox without the permissions that it asks for"
                              : "has its sandbox widened",
                  "its manifest asks for " + list,
                  are_refused ? "if it does not work so, allow them (SandboxPermissions::kGranted, "
                                "and no refuse_permissions for it)"
                              : "to refuse it, set BACKPLANE_REFUSE_PERMISSIONS=" + id);
}

}  // namespace

BackendRegistration MakeIsolatedRegistration(const Candidate& candidate,
                                             const std::optional<AbiNote>& note,
                                             const files::CandidateFile& file,
                                             const ScanOptions& options) {
  const std::string& id = candidate.identity->id;
  WorkerPlan plan;
  plan.backend_id = id;
  plan.program = probing::FindProgram(options.probe_settings, probing::ProbeDepth::kServe);
  plan.file = {candidate.path, file.canonical_path, files::MakeFileStamp(file.status)};
  plan.settings = options.isolation;
  plan.sandbox = PlanSandbox(options, &*candidate.identity, candidate.path);
  plan.sandbox.processors = options.isolation.processors;
  plan.sandbox.max_open_files = options.isolation.max_open_files;
  plan.logger = CreateBackendLogger(id);
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = id;
  origin->declared_version = candidate.identity->api_version;
  if (note) origin->knows_minor = note->knows_minor;
  origin->code_file = std::make_shared<CodeFile>(file.canonical_path, file.status);
  origin->logger = plan.logger;
  auto life = std::make_shared<WorkerLife>(std::move(plan));
  origin->isolation = life;
  BackendRegistration registration;
  registration.origin = std::move(origin);
  registration.source = file.canonical_path;
  registration.factory = [life = std::move(life)] { return MakeIsolatedBackend(life); };
  return registration;
}

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
