#include "scanning/candidate_examiner.hpp"

#include "creation/try_backend.hpp"
#include "discovery/backend_file_name.hpp"
#include "opening/shared_library.hpp"
#include "registration/taken_id.hpp"
#include "scanning/open_backend.hpp"

#include <string>
#include <utility>

namespace backplane::scanning {
namespace {

constexpr std::size_t kNumStages = static_cast<std::size_t>(Stage::kCreate) + 1;

std::string GetFileName(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

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

}  // namespace

CandidateExaminer::CandidateExaminer(const ScanOptions& options, BackendRegistry& registry,
                                     std::vector<LoadedContext>* contexts)
    : options_(options),
      disabled_(options.disabled),
      registry_(registry),
      contexts_(contexts),
      dependencies_(opening::IsDefinedInProcess) {}

Candidate CandidateExaminer::Examine(const std::string& path, const std::string& direct_path,
                                     std::optional<Diagnostic> name_fault) {
  Candidate candidate;
  candidate.path = path;
  candidate.timings.reserve(kNumStages);
  CandidateLadder ladder(candidate);
  ladder.Begin(Stage::kName);
  if (auto disabled = disabled_.CheckFile(path, GetFileName(path))) {
    ladder.Report(std::move(*disabled));
    ladder.Finish(CandidateStatus::kSkipped);
    return candidate;
  }
  if (name_fault) ladder.Report(std::move(*name_fault));

  ladder.Begin(Stage::kFile);
  discovery::CandidateFile file;
  if (!CheckFile(candidate, ladder, file, direct_path)) return candidate;
  std::optional<AbiNote> note;
  Inspect(file, candidate, ladder, note);
  if (ladder.HasFailed() || options_.probe == ProbeMode::kInspect) {
    ladder.Finish(CandidateStatus::kInspected);
    return candidate;
  }
  Run(file, note, candidate, ladder);
  return candidate;
}

Candidate CandidateExaminer::ExamineShadowed(const std::string& path,
                                             const std::string& direct_path,
                                             const std::string& chosen) {
  Candidate candidate;
  candidate.path = path;
  CandidateLadder ladder(candidate);
  ladder.Begin(Stage::kFile);
  discovery::CandidateFile file;
  if (!CheckFile(candidate, ladder, file, direct_path)) return candidate;
  candidate.shadowed_by = chosen;
  ladder.Report(DescribeOtherVersion(path, chosen));
  ladder.Finish(CandidateStatus::kShadowed);
  return candidate;
}

bool CandidateExaminer::CheckFile(Candidate& candidate, CandidateLadder& ladder,
                                  discovery::CandidateFile& file, const std::string& direct_path) {
  auto [opened, failure] = discovery::OpenCandidateFile(candidate.path, direct_path);
  candidate.canonical_path = opened.canonical_path;
  if (failure) {
    ladder.Report(std::move(*failure));
    ladder.Finish(CandidateStatus::kRejected);
    return false;
  }
  const FileIdentity identity{opened.status.st_dev, opened.status.st_ino};
  const auto [first, is_new] = seen_.emplace(identity, candidate.path);
  if (!is_new) {
    candidate.shadowed_by = first->second;
    ladder.Report(DescribeSameFile(candidate.path, first->second));
    ladder.Finish(CandidateStatus::kShadowed);
    return false;
  }
  file = std::move(opened);
  return true;
}

void CandidateExaminer::Inspect(const discovery::CandidateFile& file, Candidate& candidate,
                                CandidateLadder& ladder, std::optional<AbiNote>& note) {
  ladder.Stop();
  auto inspected = inspection::InspectFile(file.descriptor.Get(), candidate.path);
  for (auto& stage : inspected.stages) {
    ladder.Add(stage.stage, stage.duration, std::move(stage.diagnostics));
  }
  note = inspected.note;
  // The loader will resolve dependencies itself; doing it here too would only cost time.
  const bool will_be_opened = options_.probe != ProbeMode::kInspect && !ladder.HasFailed();
  const bool is_wanted = options_.dependencies == DependencyCheck::kAlways || !will_be_opened;
  const bool has_format = inspected.stages.size() > 1;
  if (!is_wanted || !has_format) return;
  auto dependencies =
      dependencies_.Inspect(file.descriptor.Get(), candidate.path, file.canonical_path);
  ladder.Add(Stage::kDependencies, dependencies.duration, std::move(dependencies.diagnostics));
}

void CandidateExaminer::Run(const discovery::CandidateFile& file,
                            const std::optional<AbiNote>& note, Candidate& candidate,
                            CandidateLadder& ladder) {
  candidate.where = ProbedIn::kInProcess;
  const auto backend = OpenBackend(file, note, candidate, ladder);
  if (candidate.identity) {
    if (auto disabled = disabled_.CheckId(candidate.path, candidate.identity->id)) {
      ladder.Report(std::move(*disabled));
      ladder.Finish(CandidateStatus::kSkipped);
      return;
    }
  }
  if (!backend || ladder.HasFailed()) {
    ladder.Finish(CandidateStatus::kRejected);
    return;
  }
  if (CheckIdIsFree(*backend, candidate, ladder)) Create(*backend, candidate, ladder);
}

bool CandidateExaminer::CheckIdIsFree(const DynamicBackend& backend, Candidate& candidate,
                                      CandidateLadder& ladder) const {
  ladder.Begin(Stage::kRegister);
  const std::string& id = backend.GetBackendId();
  if (!registry_.IsBackendRegistered(id)) return true;
  Diagnostic taken = DescribeTakenId(registry_.GetRegistration(id), backend.GetRegistration());
  const std::string& holder = registry_.GetRegistration(id).source;
  if (IsOfSameFamily(candidate.path, holder)) {
    taken.severity = Severity::kNote;
    candidate.shadowed_by = holder;
  }
  ladder.Report(std::move(taken));
  ladder.Finish(CandidateStatus::kShadowed);
  return false;
}

void CandidateExaminer::Create(const DynamicBackend& backend, Candidate& candidate,
                               CandidateLadder& ladder) {
  ladder.Begin(Stage::kCreate);
  BackendRegistration registration = backend.GetRegistration();
  const BackendOptions options{backend.GetBackendId(), {}};
  creation::Trial trial = creation::TryBackend(registration, &options);
  if (trial.failure) {
    const bool is_unavailable = trial.failure->code == DiagnosticCode::kBackendUnavailable;
    if (is_unavailable) trial.failure->severity = Severity::kWarning;
    ladder.Report(std::move(*trial.failure));
    ladder.Finish(CandidateStatus::kUnavailable);
    return;
  }
  candidate.identity->capabilities = trial.capabilities;
  registration.capabilities = std::move(trial.capabilities);
  try {
    registry_.Register(std::move(registration));
  } catch (const DiagnosticException& exception) {
    // Another thread took the id since it was checked.
    ladder.Report(exception.GetDiagnostic());
    ladder.Finish(CandidateStatus::kRejected);
    return;
  }
  if (contexts_ != nullptr) {
    contexts_->push_back({backend.GetBackendId(), std::move(trial.context)});
  }
  ladder.Finish(CandidateStatus::kLoaded);
}

}  // namespace backplane::scanning
