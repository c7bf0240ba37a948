#include "scanning/candidate_examiner.hpp"

#include "discovery/backend_file_name.hpp"
#include "inspection/file_words.hpp"
#include "registration/taken_id.hpp"
#include "scanning/late_opening.hpp"
#include "stages/create_stage.hpp"
#include "stages/manifest_checks.hpp"
#include "stages/open_backend.hpp"

#include <string>
#include <utility>

namespace backplane::scanning {
namespace {

using inspection::GetFileName;

Diagnostic DescribeSameFile(const std::string& path, const std::string& first) {
  Diagnostic diagnostic{DiagnosticCode::kSameFile, Severity::kNote};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " is the same file as " + first;
  diagnostic.why = "both names lead to one file, which is looked at once";
  diagnostic.fix = "nothing needs to be done";
  return diagnostic;
}

Diagnostic DescribeOtherVersion(const std::string& path, const std::string& chosen) {
  Diagnostic diagnostic{DiagnosticCode::kOtherVersionChosen, Severity::kNote};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " was not looked at";
  diagnostic.why = chosen + " comes first: the name without version, then the highest version";
  diagnostic.fix = "to use this one, remove or rename that one";
  return diagnostic;
}

/// When one name has a file in two directories, the later one standing back is what was asked for.
bool IsOfSameFamily(const std::string& path, const std::string& other) {
  const auto name = discovery::ParseBackendFileName(GetFileName(path));
  const auto other_name = discovery::ParseBackendFileName(GetFileName(other));
  return name && other_name && name->family == other_name->family;
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

}  // namespace

CandidateExaminer::CandidateExaminer(const FileReader& reader, company::Company& company,
                                     Admission admission, const ScanOptions& options,
                                     BackendRegistry& registry,
                                     std::vector<LoadedContext>* contexts)
    : reader_(reader),
      company_(company),
      admission_(admission),
      options_(options),
      registry_(registry),
      contexts_(contexts) {}

Candidate CandidateExaminer::Examine(std::unique_ptr<Examination> examination) {
  if (examination->is_opened) examination->Contain([&] { Judge(*examination); });
  return std::move(examination->candidate);
}

void CandidateExaminer::Judge(Examination& examination) {
  if (!CheckIsNew(examination)) return;
  if (!examination.is_read && OpenAgain(examination)) reader_.Read(examination);
  if (!examination.is_trusted) Forget(examination);
  if (!examination.is_finished) {
    Pass(examination);
  } else if (examination.candidate.status == CandidateStatus::kInspected &&
             JoinCompany(examination)) {
    examination.Finish(CandidateStatus::kInspected);
  }
}

void CandidateExaminer::Pass(Examination& examination) {
  if (admission_ == Admission::kChildOnly) {
    Admit(examination);
  } else if (admission_ == Admission::kLate && examination.candidate.identity) {
    RegisterLate(examination);
  } else {
    Run(examination);
  }
}

Candidate CandidateExaminer::ExamineShadowed(std::unique_ptr<Examination> examination,
                                             const std::string& chosen) {
  examination->Contain([&] {
    if (examination->is_finished || !CheckIsNew(*examination)) return;
    Candidate& candidate = examination->candidate;
    candidate.shadowed_by = chosen;
    examination->ladder.Report(DescribeOtherVersion(candidate.path, chosen));
    examination->Finish(CandidateStatus::kShadowed);
  });
  return std::move(examination->candidate);
}

bool CandidateExaminer::CheckIsNew(Examination& examination) {
  Candidate& candidate = examination.candidate;
  const struct stat& status = examination.file.status;
  const auto [first, is_new] =
      seen_.emplace(FileIdentity{status.st_dev, status.st_ino}, candidate.path);
  if (is_new) return true;
  candidate.shadowed_by = first->second;
  examination.ladder.Report(DescribeSameFile(candidate.path, first->second));
  examination.Finish(CandidateStatus::kShadowed);
  return false;
}

void CandidateExaminer::Forget(const Examination& examination) {
  const struct stat& status = examination.file.status;
  seen_.erase(FileIdentity{status.st_dev, status.st_ino});
}

/// What another process found out spares opening a backend that cannot be registered.
bool CandidateExaminer::CheckBeforeOpening(Examination& examination) const {
  if (examination.candidate.where != ProbedIn::kChild) return true;
  return reader_.CheckIsEnabled(examination) &&
         CheckIdIsFree(MakeUnopened(examination.candidate), examination);
}

/// Who looked ahead closed it.
bool CandidateExaminer::OpenAgain(Examination& examination) const {
  auto failure = discovery::OpenAgain(examination.file, examination.candidate.path);
  if (!failure) return true;
  examination.ladder.Report(std::move(*failure));
  examination.Finish(CandidateStatus::kRejected);
  return false;
}

bool CandidateExaminer::CheckCompany(Examination& examination) const {
  stages::CandidateLadder& ladder = examination.ladder;
  ladder.Add(Stage::kCompany, examination.account_duration, {});
  ladder.Begin(Stage::kCompany);
  const struct stat& status = examination.file.status;
  for (Diagnostic& diagnostic :
       company_.Judge(examination.candidate, examination.account,
                      company::FileIdentity{status.st_dev, status.st_ino})) {
    ladder.Report(std::move(diagnostic));
  }
  ladder.Stop();
  if (ladder.HasFailed()) examination.Finish(CandidateStatus::kRejected);
  return !ladder.HasFailed();
}

bool CandidateExaminer::JoinCompany(Examination& examination) const {
  if (!CheckCompany(examination)) return false;
  company_.Admit();
  return true;
}

void CandidateExaminer::Run(Examination& examination) {
  if (!CheckBeforeOpening(examination) || !CheckCompany(examination)) return;
  Candidate& candidate = examination.candidate;
  stages::CandidateLadder& ladder = examination.ladder;
  candidate.where = ProbedIn::kInProcess;
  ladder.ForgetFrom(Stage::kOpen);  // where it ran in another process
  ladder.Begin(Stage::kOpen);
  if (!OpenAgain(examination)) return;
  if (options_.before_opening) options_.before_opening(candidate.path);
  const auto backend = stages::OpenBackend(examination.file, examination.note, candidate, ladder);
  // What the loader refused is not in the process.
  if (backend || ladder.GetStage() != Stage::kOpen) company_.Admit();
  stages::CheckIdentity(examination.manifest, candidate, ladder);
  if (!reader_.CheckIsEnabled(examination)) return;
  if (!backend || ladder.HasFailed()) {
    examination.Finish(CandidateStatus::kRejected);
  } else if (CheckIdIsFree(backend->GetRegistration(), examination)) {
    Create(*backend, examination);
  }
}

void CandidateExaminer::Admit(Examination& examination) {
  if (!reader_.CheckIsEnabled(examination)) return;
  BackendRegistration registration = MakeUnopened(examination.candidate);
  if (!CheckIdIsFree(registration, examination) || !JoinCompany(examination)) return;
  Register(std::move(registration), examination);
  if (!examination.ladder.HasFailed()) examination.candidate.stage = Stage::kCreate;
}

void CandidateExaminer::RegisterLate(Examination& examination) {
  if (!reader_.CheckIsEnabled(examination)) return;
  BackendRegistration registration = MakeLateRegistration(examination, options_.contexts);
  if (!CheckIdIsFree(registration, examination) || !JoinCompany(examination)) return;
  examination.ladder.Begin(Stage::kRegister);
  Register(std::move(registration), examination, CandidateStatus::kInspected);
}

bool CandidateExaminer::CheckIdIsFree(const BackendRegistration& registration,
                                      Examination& examination) const {
  examination.ladder.Begin(Stage::kRegister);
  const std::string& id = registration.origin->backend_id;
  if (!registry_.IsBackendRegistered(id)) return true;
  const BackendRegistration holder = registry_.GetRegistration(id);
  Diagnostic taken = DescribeTakenId(holder, registration);
  if (IsOfSameFamily(examination.candidate.path, holder.source)) {
    taken.severity = Severity::kNote;
    examination.candidate.shadowed_by = holder.source;
  }
  examination.ladder.Report(std::move(taken));
  examination.Finish(CandidateStatus::kShadowed);
  return false;
}

void CandidateExaminer::Create(const DynamicBackend& backend, Examination& examination) {
  // Who keeps no contexts wants to know about the backends, not to use them.
  const auto questions =
      contexts_ != nullptr ? creation::Questions::kEssential : creation::Questions::kAll;
  Candidate& candidate = examination.candidate;
  stages::CreateOutcome created =
      stages::RunCreateStage(backend, questions, options_.contexts, candidate, examination.ladder);
  if (created.status_when_passed != CandidateStatus::kLoaded) {
    examination.Finish(created.status_when_passed);
    return;
  }
  stages::CheckCapabilities(examination.manifest, candidate, examination.ladder);
  BackendRegistration registration = backend.GetRegistration();
  registration.capabilities = candidate.identity->capabilities;
  if (contexts_ != nullptr) contexts_->reserve(contexts_->size() + 1);
  Register(std::move(registration), examination);
  if (contexts_ != nullptr && candidate.status == CandidateStatus::kLoaded) {
    contexts_->push_back(std::move(created.context));
  }
}

void CandidateExaminer::Register(BackendRegistration registration, Examination& examination,
                                 CandidateStatus status_when_passed) {
  try {
    registry_.Register(std::move(registration));
  } catch (const DiagnosticException& exception) {
    // Another thread took the id since it was checked.
    examination.ladder.Report(exception.GetDiagnostic());
  }
  examination.Finish(status_when_passed);
}

}  // namespace backplane::scanning
