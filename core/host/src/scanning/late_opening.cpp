#include "scanning/candidate_registrar.hpp"

#include "conflicts/conflict_judge.hpp"
#include "isolation/isolation_rules.hpp"
#include "isolation/make_isolated.hpp"
#include "probing/candidate_ladder.hpp"
#include "probing/conflict_check.hpp"
#include "probing/contain.hpp"
#include "probing/create_stage.hpp"
#include "probing/manifest_checks.hpp"
#include "probing/open_backend.hpp"
#include "scanning/candidate_checker.hpp"
#include "scanning/describe_choice.hpp"

#include <backplane/host/logging.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace backplane::scanning {
namespace {

/// An inspected file, without its descriptor: there may be hundreds.
struct ClosedFile {
  struct stat status {};  // when it was inspected
  std::string canonical_path;
  std::string id;
  InspectedCandidate inspected;  // with a note
};

/// The stage "create" of one that runs in a process of its own, which starts now.
probing::CreateOutcome StartIsolated(const ClosedFile& closed, const ScanOptions& options,
                                     probing::CandidateLadder& ladder, Candidate& candidate,
                                     LateOutcome& outcome) {
  files::CandidateFile file;
  file.status = closed.status;
  file.canonical_path = closed.canonical_path;
  const DynamicBackend backend(
      isolation::MakeIsolatedRegistration(candidate, closed.inspected.note, file, options));
  outcome.registration = backend.GetRegistration();
  return probing::RunCreateStage(backend, backend::Questions::kEssential, options.contexts,
                                 candidate, ladder);
}

/// The stages "company" to "create"; what fails is in the ladder. Returns the status of one that
/// passed.
CandidateStatus RunStages(const ClosedFile& closed, const ScanOptions& options,
                          probing::CandidateLadder& ladder, Candidate& candidate,
                          LateOutcome& outcome) {
  if (isolation::IsToBeIsolated(options, candidate)) {
    probing::CreateOutcome created = StartIsolated(closed, options, ladder, candidate, outcome);
    outcome.registration.capabilities = candidate.identity->capabilities;
    outcome.context = std::move(created.context);
    return created.status_when_passed;
  }
  files::CandidateFile file;
  file.status = closed.status;
  file.canonical_path = closed.canonical_path;
  if (auto failure = files::OpenAgain(file, candidate.path)) {
    ladder.Begin(Stage::kOpen);
    ladder.Report(std::move(*failure));
    return CandidateStatus::kRejected;
  }
  ladder.Begin(Stage::kCompany);
  conflicts::ConflictJudge present(conflicts::DescribeThisProcess(),
                                   conflicts::OpeningOrder::kOfTheScan);
  auto opening = probing::ReportClashesToOpen(present, closed.inspected.account, closed.status,
                                              candidate, ladder);
  if (ladder.HasFailed()) return CandidateStatus::kRejected;
  candidate.where = ProbedIn::kInProcess;
  ladder.ForgetFrom(Stage::kOpen);  // where it ran in another process
  const auto backend = probing::OpenBackend(file, closed.inspected.note, candidate, ladder);
  opening.reset();
  probing::CheckIdentity(closed.inspected.manifest, candidate, ladder);
  if (backend && !closed.inspected.manifest) probing::CheckSameId(closed.id, candidate, ladder);
  if (!backend || ladder.HasFailed()) return CandidateStatus::kRejected;
  probing::CreateOutcome created = probing::RunCreateStage(*backend, backend::Questions::kEssential,
                                                           options.contexts, candidate, ladder);
  if (created.status_when_passed == CandidateStatus::kLoaded) {
    probing::CheckCapabilities(closed.inspected.manifest, candidate, ladder);
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

LateOutcome OpenLate(const ClosedFile& closed, const ScanOptions& options,
                     const Candidate& inspected) {
  LateOutcome outcome;
  Candidate& candidate = outcome.candidates.emplace_back(inspected);
  probing::CandidateLadder ladder(candidate);
  CandidateStatus status_when_passed = CandidateStatus::kRejected;
  probing::Contain(candidate, ladder, [&] {
    status_when_passed = RunStages(closed, options, ladder, candidate, outcome);
  });
  ladder.Finish(status_when_passed);
  if (candidate.status == CandidateStatus::kLoaded) return outcome;
  outcome.failure = DescribeFailure(closed.id, candidate);
  outcome.context = {};
  outcome.registration = {};  // closes the library
  return outcome;
}

ClosedFile Close(const Examination& examination, const std::string& id) {
  return {examination.file->status, examination.file->canonical_path, id, *examination.inspected};
}

/// Takes a file that nothing is known of through every stage. Nothing: it gives another id.
std::optional<LateOutcome> OpenFromTheBeginning(const PlannedFile& file, const std::string& id,
                                                const ScanOptions& options,
                                                const CandidateChecker& checker) {
  const auto examination = checker.Open(file);
  if (!examination->is_finished) checker.Read(*examination);
  const bool is_run = options.probe == ProbeMode::kChild && !examination->is_finished;
  if (is_run) checker.Run(*examination);
  const Candidate& candidate = examination->candidate;
  if (candidate.identity && candidate.identity->id != id) return std::nullopt;
  if (!examination->is_finished) {
    return OpenLate(Close(*examination, id), options, candidate);
  }
  if (!candidate.identity || GetHeadline(candidate) == nullptr) return std::nullopt;
  LateOutcome outcome;
  outcome.candidates.push_back(candidate);
  outcome.failure = DescribeFailure(id, candidate);
  return outcome;
}

/// When `outcome` failed: the others, one after the other, until one does not.
void OpenNext(const std::string& id, const std::vector<PlannedFile>& next,
              const ScanOptions& options, LateOutcome& outcome) {
  const conflicts::ConflictJudge present(conflicts::DescribeThisProcess(),
                                         conflicts::OpeningOrder::kOfTheScan);
  const CandidateChecker checker(options, present);
  for (const PlannedFile& file : next) {
    auto other = OpenFromTheBeginning(file, id, options, checker);
    if (!other) continue;
    Candidate& tried = other->candidates.front();
    tried.shadowed_by.clear();
    if (other->failure) {
      outcome.failure->causes.push_back(*other->failure);
    } else {
      std::vector<const Candidate*> before;
      for (const Candidate& failed : outcome.candidates) before.push_back(&failed);
      tried.diagnostics.push_back(DescribeStandIn(id, tried.path, before));
      Log("registration", LogLevel::kWarning, ToText(tried.diagnostics.back()));
      outcome.failure.reset();
      outcome.registration = std::move(other->registration);
      outcome.context = std::move(other->context);
    }
    outcome.candidates.push_back(std::move(tried));
    if (!outcome.failure) return;
  }
}

}  // namespace

BackendRegistration MakeLateRegistration(const Examination& examination,
                                         std::shared_ptr<const ScanOptions> options,
                                         std::vector<PlannedFile> next) {
  const BackendIdentity& identity = *examination.candidate.identity;
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = identity.id;
  origin->declared_version = identity.api_version;
  if (const auto& note = examination.inspected->note) origin->knows_minor = note->knows_minor;
  origin->logger = CreateBackendLogger(identity.id);
  BackendRegistration registration;
  registration.origin = std::move(origin);
  registration.source = examination.file->canonical_path;
  const bool has_run = examination.candidate.where == ProbedIn::kChild;
  if (has_run) {
    registration.capabilities = identity.capabilities;
  } else if (identity.rank) {
    registration.capabilities = {{kCapabilityRank, *identity.rank}};
  }
  std::optional<std::vector<OptionSchema>> declared;
  if (has_run) declared = identity.options;
  registration.late = std::make_shared<LateBackend>(
      [closed = Close(examination, identity.id), options = std::move(options),
       next = std::move(next), candidate = examination.candidate] {
        const WorkLimitScope unbounded(nullptr);  // what comes of it holds for other runs too
        LateOutcome outcome = OpenLate(closed, *options, candidate);
        if (outcome.failure && !next.empty()) OpenNext(closed.id, next, *options, outcome);
        return outcome;
      },
      std::move(declared));
  registration.factory = [late = registration.late] { return late->Open().factory(); };
  return registration;
}

}  // namespace backplane::scanning
