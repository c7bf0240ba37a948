#include "scanning/candidate_registrar.hpp"

#include "isolation/isolation_rules.hpp"
#include "isolation/make_isolated.hpp"
#include "probing/conflict_check.hpp"
#include "probing/create_stage.hpp"
#include "probing/manifest_checks.hpp"
#include "probing/open_backend.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace backplane::scanning {
namespace {

Diagnostic DescribeSameFile(const std::string& path, const std::string& first) {
  Diagnostic diagnostic{DiagnosticCode::kSameFile, Severity::kNote};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " is the same file as " + first;
  diagnostic.why = "both names lead to one file, which is looked at once";
  diagnostic.fix = "nothing needs to be done";
  return diagnostic;
}

/// What is registered for a backend whose code ran in another process.
BackendRegistration MakeUnopened(const Candidate& candidate) {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = candidate.identity->id;
  origin->declared_version = candidate.identity->api_version;
  BackendRegistration registration;
  registration.origin = std::move(origin);
  registration.source = candidate.canonical_path;
  registration.factory = [] { return std::unique_ptr<IBackendInternal>(); };
  return registration;
}

/// So that adding it cannot fail for want of memory.
void MakeRoomForOne(std::vector<LoadedContext>& contexts) {
  if (contexts.size() == contexts.capacity()) contexts.reserve(2 * contexts.size() + 1);
}

}  // namespace

CandidateRegistrar::CandidateRegistrar(const CandidateChecker& checker,
                                       conflicts::ConflictJudge& judge, Admission admission,
                                       const ScanOptions& options, BackendRegistry& registry,
                                       std::vector<LoadedContext>* contexts)
    : checker_(checker),
      judge_(judge),
      admission_(admission),
      options_(options),
      registry_(registry),
      contexts_(contexts) {}

bool CandidateRegistrar::WasSeen(const Examination& examination) const {
  return examination.file && seen_.count(conflicts::GetFileIdentity(examination.file->status)) != 0;
}

bool CandidateRegistrar::CheckIsNew(Examination& examination) {
  Candidate& candidate = examination.candidate;
  const auto [first, is_new] =
      seen_.emplace(conflicts::GetFileIdentity(examination.file->status), candidate.path);
  if (is_new) return true;
  candidate.shadowed_by = first->second;
  examination.ladder.Report(DescribeSameFile(candidate.path, first->second));
  examination.Finish(CandidateStatus::kShadowed);
  return false;
}

void CandidateRegistrar::Forget(const Examination& examination) {
  seen_.erase(conflicts::GetFileIdentity(examination.file->status));
}

void CandidateRegistrar::Open(Examination& examination) const {
  examination.Contain([&] { OpenBackend(examination); });
  examination.CloseFile();
  if (examination.is_finished) examination.opened.reset();
}

void CandidateRegistrar::Admit(Examination& examination, std::vector<PlannedFile> next) {
  examination.Contain([&] {
    if (admission_ == Admission::kFileOnly) {
      if (JoinProcess(examination)) examination.Finish(CandidateStatus::kInspected);
    } else if (admission_ == Admission::kChildOnly) {
      AdmitUnopened(examination);
    } else if (admission_ == Admission::kLate && examination.candidate.identity &&
               !examination.opened) {
      AdmitLate(examination, std::move(next));
    } else if (IsIsolated(examination)) {
      AdmitIsolated(examination);
    } else {
      AdmitOpen(examination);
    }
  });
  examination.CloseFile();
  examination.opened.reset();
}

bool CandidateRegistrar::CheckConflicts(Examination& examination,
                                        std::unique_ptr<conflicts::PendingOpening>* opening) const {
  probing::CandidateLadder& ladder = examination.ladder;
  ladder.Add(Stage::kCompany, examination.inspected->account_duration, {});
  ladder.Begin(Stage::kCompany);
  if (opening != nullptr) {
    *opening =
        probing::ReportClashesToOpen(judge_, examination.inspected->account,
                                     examination.file->status, examination.candidate, ladder);
  } else {
    probing::ReportClashes(judge_, examination.inspected->account, examination.file->status,
                           examination.candidate, ladder);
  }
  ladder.Stop();
  if (ladder.HasFailed()) examination.Finish(CandidateStatus::kRejected);
  return !ladder.HasFailed();
}

bool CandidateRegistrar::JoinProcess(Examination& examination) const {
  if (!CheckConflicts(examination, nullptr)) return false;
  judge_.Admit();
  return true;
}

void CandidateRegistrar::OpenBackend(Examination& examination) const {
  std::unique_ptr<conflicts::PendingOpening> opening;
  if (!CheckConflicts(examination, &opening)) return;
  Candidate& candidate = examination.candidate;
  probing::CandidateLadder& ladder = examination.ladder;
  candidate.where = ProbedIn::kInProcess;
  ladder.ForgetFrom(Stage::kOpen);  // where it ran in another process
  const std::optional<BackendIdentity> before = candidate.identity;
  ladder.Begin(Stage::kOpen);
  if (options_.before_opening) options_.before_opening(candidate.path);
  const auto backend =
      probing::OpenBackend(*examination.file, examination.inspected->note, candidate, ladder);
  opening.reset();
  // What the loader refused is not in the process.
  if (backend || ladder.GetStage() != Stage::kOpen) judge_.Admit();
  probing::CheckIdentity(examination.inspected->manifest, candidate, ladder);
  if (backend && before && !examination.inspected->manifest) {
    probing::CheckSameId(before->id, candidate, ladder);
  }
  if (!checker_.CheckIsEnabled(examination)) return;
  if (!backend || ladder.HasFailed()) {
    examination.Finish(CandidateStatus::kRejected);
  } else if (CheckIdIsFree(examination)) {
    Create(backend, examination);
  }
}

/// False: it was registered before the scan, or by a file whose own id was not known when the
/// others were chosen from. Who concludes the choice says so.
bool CandidateRegistrar::CheckIdIsFree(Examination& examination) const {
  if (registry_.IsBackendRegistered(examination.candidate.identity->id)) return false;
  examination.ladder.Begin(Stage::kRegister);
  return true;
}

void CandidateRegistrar::Create(std::shared_ptr<const DynamicBackend> backend,
                                Examination& examination) const {
  // Who keeps no contexts wants to know about the backends, not to use them.
  const auto questions =
      contexts_ != nullptr ? backend::Questions::kEssential : backend::Questions::kAll;
  Candidate& candidate = examination.candidate;
  probing::CreateOutcome created = probing::RunCreateStage(*backend, questions, options_.contexts,
                                                           candidate, examination.ladder);
  if (created.status_when_passed != CandidateStatus::kLoaded || examination.ladder.HasFailed()) {
    examination.Finish(created.status_when_passed);
    return;
  }
  probing::CheckCapabilities(examination.inspected->manifest, candidate, examination.ladder);
  examination.opened = {std::move(backend), std::move(created.context)};
}

/// Only of what passed in a process of its own.
bool CandidateRegistrar::IsIsolated(const Examination& examination) const {
  return isolation::IsToBeIsolated(options_, examination.candidate);
}

/// It is not judged beside those of this process: nothing of it comes here.
void CandidateRegistrar::AdmitIsolated(Examination& examination) {
  if (!CheckIdIsFree(examination)) return;
  Candidate& candidate = examination.candidate;
  Create(std::make_shared<DynamicBackend>(isolation::MakeIsolatedRegistration(
             candidate, examination.inspected->note, *examination.file, options_)),
         examination);
  if (examination.is_finished) return;
  ReportIsolation(examination);
  AdmitOpen(examination);
}

void CandidateRegistrar::ReportIsolation(Examination& examination) const {
  for (Diagnostic& diagnostic : isolation::DescribeIsolated(examination.candidate, options_)) {
    examination.ladder.Report(std::move(diagnostic));
  }
}

void CandidateRegistrar::AdmitUnopened(Examination& examination) {
  const bool is_isolated = IsIsolated(examination);
  if (!CheckIdIsFree(examination) || (!is_isolated && !JoinProcess(examination))) return;
  examination.ladder.Begin(Stage::kRegister);
  if (is_isolated) ReportIsolation(examination);
  Register(MakeUnopened(examination.candidate), examination, CandidateStatus::kLoaded);
  if (!examination.ladder.HasFailed()) examination.candidate.stage = Stage::kCreate;
}

void CandidateRegistrar::AdmitLate(Examination& examination, std::vector<PlannedFile> next) {
  const bool is_isolated = IsIsolated(examination);
  if (!CheckIdIsFree(examination) || (!is_isolated && !JoinProcess(examination))) return;
  examination.ladder.Begin(Stage::kRegister);
  if (is_isolated) ReportIsolation(examination);
  if (!kept_options_) kept_options_ = std::make_shared<const ScanOptions>(options_);
  Register(MakeLateRegistration(examination, kept_options_, std::move(next)), examination,
           CandidateStatus::kInspected);
}

void CandidateRegistrar::AdmitOpen(Examination& examination) {
  if (!examination.opened) OpenBackend(examination);
  if (examination.is_finished || !examination.opened) return;
  BackendRegistration registration = examination.opened->backend->GetRegistration();
  registration.capabilities = examination.candidate.identity->capabilities;
  if (contexts_ != nullptr) MakeRoomForOne(*contexts_);
  Register(std::move(registration), examination, CandidateStatus::kLoaded);
  if (contexts_ != nullptr && examination.candidate.status == CandidateStatus::kLoaded) {
    contexts_->push_back(std::move(examination.opened->context));
  }
}

void CandidateRegistrar::Register(BackendRegistration registration, Examination& examination,
                                  CandidateStatus status_when_passed) {
  try {
    registry_.Register(std::move(registration));
  } catch (const DiagnosticException& exception) {
    // Another thread took the id since it was checked, or a file whose own id nothing told before.
    examination.ladder.Report(exception.GetDiagnostic());
  }
  examination.Finish(status_when_passed);
}

}  // namespace backplane::scanning
