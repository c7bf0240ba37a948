#include "scanning/late_opening.hpp"

#include "creation/try_backend.hpp"
#include "scanning/candidate_ladder.hpp"
#include "scanning/manifest_checks.hpp"
#include "scanning/open_backend.hpp"

#include <backplane/host/logging.hpp>

#include <utility>

namespace backplane::scanning {
namespace {

/// An inspected file, without its descriptor: there may be hundreds.
struct ClosedFile {
  struct stat status {};  // when it was inspected
  std::string canonical_path;
  AbiNote note{};
  inspection::Manifest manifest;
};

Diagnostic DescribeChange(const std::string& path) {
  Diagnostic diagnostic{DiagnosticCode::kFileChanged};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " changed since it was inspected";
  diagnostic.why = "expected the file that was inspected, found another one, or other content";
  diagnostic.fix = "create the runtime again; the new file is then inspected too";
  return diagnostic;
}

/// Opens the file again to read it, and only if it is still the one that was inspected.
std::optional<Diagnostic> Reopen(const ClosedFile& closed, const std::string& path,
                                 discovery::CandidateFile& file) {
  auto [opened, failure] =
      discovery::OpenCandidateFile(closed.canonical_path, closed.canonical_path);
  if (failure) return std::move(*failure);
  file = std::move(opened);
  file.status = closed.status;
  if (!discovery::IsStillTheSame(file)) return DescribeChange(path);
  return std::nullopt;
}

/// The stages "open" to "create"; what fails is in the ladder.
void RunStages(const ClosedFile& closed, CandidateLadder& ladder, LateOutcome& outcome) {
  Candidate& candidate = outcome.candidate;
  discovery::CandidateFile file;
  if (auto failure = Reopen(closed, candidate.path, file)) {
    ladder.Begin(Stage::kOpen);
    ladder.Report(std::move(*failure));
    return;
  }
  candidate.where = ProbedIn::kInProcess;
  const auto backend = OpenBackend(file, closed.note, candidate, ladder);
  if (candidate.identity) AddManifest(closed.manifest, *candidate.identity);
  if (!backend) return;
  if (auto differs = CompareId(closed.manifest, backend->GetBackendId(), candidate.path)) {
    ladder.Report(std::move(*differs));
    return;
  }
  ladder.Begin(Stage::kCreate);
  outcome.registration = backend->GetRegistration();
  const BackendOptions options{backend->GetBackendId(), {}};
  creation::Trial trial = creation::TryBackend(outcome.registration, &options);
  if (trial.failure) {
    ladder.Report(std::move(*trial.failure));
    return;
  }
  if (auto differs = CompareRank(closed.manifest, trial.capabilities, candidate.path)) {
    ladder.Report(std::move(*differs));
  }
  candidate.identity->capabilities = trial.capabilities;
  outcome.registration.capabilities = std::move(trial.capabilities);
  outcome.context = std::move(trial.context);
}

Diagnostic DescribeFailure(const std::string& id, const Candidate& candidate) {
  const Diagnostic& headline = *GetHeadline(candidate);
  Diagnostic diagnostic{DiagnosticCode::kFailedAtFirstUse};
  diagnostic.subject = {SubjectKind::kBackend, id};
  diagnostic.what = "backend \"" + id + "\" failed when it was first used";
  diagnostic.why = headline.what + (headline.why.empty() ? "" : ": " + headline.why);
  diagnostic.fix = headline.fix;
  for (const Diagnostic& reason : candidate.diagnostics) {
    if (reason.severity == Severity::kError) diagnostic.causes.push_back(reason);
  }
  return diagnostic;
}

LateOutcome OpenLate(const ClosedFile& closed, const Candidate& inspected) {
  LateOutcome outcome;
  outcome.candidate = inspected;
  CandidateLadder ladder(outcome.candidate);
  RunStages(closed, ladder, outcome);
  ladder.Finish(CandidateStatus::kLoaded);
  if (!ladder.HasFailed()) return outcome;
  const std::string& id = closed.manifest.id;
  outcome.registration = {};  // closes the library
  outcome.failure = DescribeFailure(id, outcome.candidate);
  Diagnostic& headline = outcome.candidate.diagnostics.back();
  if (headline.code == DiagnosticCode::kBackendUnavailable) {
    headline.severity = Severity::kWarning;
    outcome.candidate.status = CandidateStatus::kUnavailable;
  }
  return outcome;
}

}  // namespace

BackendRegistration MakeLateRegistration(const discovery::CandidateFile& file,
                                         const inspection::InspectedFile& inspected,
                                         const Candidate& candidate) {
  const inspection::Manifest& manifest = *inspected.manifest;
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = manifest.id;
  origin->declared_version = {inspected.note->api_major, inspected.note->api_minor};
  origin->logger = CreateBackendLogger(manifest.id);
  BackendRegistration registration;
  registration.origin = std::move(origin);
  registration.source = file.canonical_path;
  if (manifest.rank) registration.capabilities = {{kCapabilityRank, *manifest.rank}};
  ClosedFile closed{file.status, file.canonical_path, *inspected.note, manifest};
  registration.late = std::make_shared<LateBackend>(
      [closed = std::move(closed), candidate] { return OpenLate(closed, candidate); });
  registration.factory = [late = registration.late] { return late->Open().factory(); };
  return registration;
}

}  // namespace backplane::scanning
