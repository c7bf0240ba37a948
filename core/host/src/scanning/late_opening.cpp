#include "scanning/late_opening.hpp"

#include "stages/candidate_ladder.hpp"
#include "stages/contain.hpp"
#include "stages/create_stage.hpp"
#include "stages/manifest_checks.hpp"
#include "stages/open_backend.hpp"

#include <backplane/host/logging.hpp>

#include <memory>
#include <utility>

namespace backplane::scanning {
namespace {

/// An inspected file, without its descriptor: there may be hundreds.
struct ClosedFile {
  struct stat status {};  // when it was inspected
  std::string canonical_path;
  AbiNote note{};
  std::optional<inspection::Manifest> manifest;
};

/// The stages "open" to "create"; what fails is in the ladder. Returns the status of one that
/// passed.
CandidateStatus RunStages(const ClosedFile& closed, const ContextSettings& settings,
                          stages::CandidateLadder& ladder, LateOutcome& outcome) {
  Candidate& candidate = outcome.candidate;
  discovery::CandidateFile file;
  file.status = closed.status;
  file.canonical_path = closed.canonical_path;
  if (auto failure = discovery::OpenAgain(file, candidate.path)) {
    ladder.Begin(Stage::kOpen);
    ladder.Report(std::move(*failure));
    return CandidateStatus::kRejected;
  }
  candidate.where = ProbedIn::kInProcess;
  const auto backend = stages::OpenBackend(file, closed.note, candidate, ladder);
  stages::CheckIdentity(closed.manifest, candidate, ladder);
  if (!backend || ladder.HasFailed()) return CandidateStatus::kRejected;
  stages::CreateOutcome created = stages::RunCreateStage(*backend, creation::Questions::kEssential,
                                                         settings, candidate, ladder);
  if (created.status_when_passed == CandidateStatus::kLoaded) {
    stages::CheckCapabilities(closed.manifest, candidate, ladder);
  }
  outcome.registration = backend->GetRegistration();
  outcome.registration.capabilities = candidate.identity->capabilities;
  outcome.context = std::move(created.context);
  return created.status_when_passed;
}

Diagnostic DescribeFailure(const std::string& id, const Candidate& candidate) {
  const Diagnostic& headline = *GetHeadline(candidate);
  Diagnostic diagnostic{DiagnosticCode::kFailedAtFirstUse};
  diagnostic.subject = {SubjectKind::kBackend, id};
  diagnostic.what = "backend \"" + id + "\" failed when it was first used";
  diagnostic.why = headline.what + (headline.why.empty() ? "" : ": " + headline.why);
  diagnostic.fix = headline.fix;
  for (const Diagnostic& reason : candidate.diagnostics) {
    if (reason.severity != Severity::kNote) diagnostic.causes.push_back(reason);
  }
  return diagnostic;
}

LateOutcome OpenLate(const ClosedFile& closed, const ContextSettings& settings,
                     const Candidate& inspected) {
  LateOutcome outcome;
  outcome.candidate = inspected;
  stages::CandidateLadder ladder(outcome.candidate);
  CandidateStatus status_when_passed = CandidateStatus::kRejected;
  stages::Contain(outcome.candidate, ladder,
                  [&] { status_when_passed = RunStages(closed, settings, ladder, outcome); });
  ladder.Finish(status_when_passed);
  if (outcome.candidate.status == CandidateStatus::kLoaded) return outcome;
  outcome.failure = DescribeFailure(closed.manifest->id, outcome.candidate);
  outcome.context = {};
  outcome.registration = {};  // closes the library
  return outcome;
}

}  // namespace

BackendRegistration MakeLateRegistration(const Examination& examination,
                                         const ContextSettings& settings) {
  const inspection::Manifest& manifest = *examination.manifest;
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = manifest.id;
  origin->declared_version = examination.candidate.identity->api_version;
  origin->logger = CreateBackendLogger(manifest.id);
  BackendRegistration registration;
  registration.origin = std::move(origin);
  registration.source = examination.file.canonical_path;
  if (manifest.rank) registration.capabilities = {{kCapabilityRank, *manifest.rank}};
  ClosedFile closed{examination.file.status, examination.file.canonical_path, *examination.note,
                    examination.manifest};
  registration.late = std::make_shared<LateBackend>(
      [closed = std::move(closed), settings, candidate = examination.candidate] {
        return OpenLate(closed, settings, candidate);
      });
  registration.factory = [late = registration.late] { return late->Open().factory(); };
  return registration;
}

}  // namespace backplane::scanning
