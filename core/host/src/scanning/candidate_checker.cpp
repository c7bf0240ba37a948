#include "scanning/candidate_checker.hpp"

#include "backend/shared_library.hpp"
#include "diagnostics/file_words.hpp"
#include "inspection/inspect_file.hpp"
#include "isolation/isolation_rules.hpp"
#include "probing/manifest_checks.hpp"
#include "report/collect_facts.hpp"
#include "sandbox/permissions.hpp"
#include "scanning/operator_rules.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace backplane::scanning {
namespace {

constexpr std::size_t kNumStages = static_cast<std::size_t>(Stage::kCreate) + 1;

/// The error that a shared object gives that was built for another host, when it is the only one.
Diagnostic* FindOnlyNoAbiNote(Candidate& candidate) {
  Diagnostic* found = nullptr;
  for (Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    if (found != nullptr || diagnostic.code != DiagnosticCode::kNoAbiNote) return nullptr;
    found = &diagnostic;
  }
  return found;
}

std::vector<Setting> CollectDisabled(const ScanOptions& options) {
  std::vector<Setting> patterns = options.configuration.disabled;
  for (const std::string& pattern : options.disabled) patterns.push_back({pattern, ""});
  return patterns;
}

/// Its file says so: it opens a driver when it runs, or its sandbox has to have devices.
bool RestsOnDevice(const Examination& examination) {
  const InspectedCandidate& inspected = *examination.inspected;
  if (inspected.opens_libraries) return true;
  if (!inspected.manifest) return false;
  return sandbox::Has(sandbox::ReadPermissions(inspected.manifest->permissions),
                      sandbox::PermissionKind::k_devices);
}

std::optional<BackendVersion> GetStatedVersion(const Examination& examination) {
  const std::optional<AbiNote>& note = examination.inspected->note;
  if (!note) return std::nullopt;
  return BackendVersion{note->api_major, note->needs_minor};
}

}  // namespace

CandidateChecker::CandidateChecker(const ScanOptions& options,
                                   const conflicts::ConflictJudge& judge,
                                   KeptOfDevices kept_of_devices)
    : options_(options),
      judge_(judge),
      kept_of_devices_(kept_of_devices),
      disabled_(CollectDisabled(options)),
      trust_(options.trust, options.configuration.digests),
      dependencies_(std::make_unique<libraries::DependencyInspector>(backend::IsDefinedInProcess)) {
  if (options.probe != ProbeMode::kChild) return;
  verdicts_.emplace(options.probe_settings);
}

std::unique_ptr<Examination> CandidateChecker::Open(const PlannedFile& planned) const {
  auto examination = std::make_unique<Examination>();
  examination->candidate.path = planned.path;
  examination->candidate.cpu_level = planned.cpu_level;
  examination->Contain([&] { OpenFile(planned, *examination); });
  return examination;
}

void CandidateChecker::Read(Examination& examination) const {
  examination.Contain([&] { ReadFile(examination); });
}

void CandidateChecker::Run(Examination& examination) const {
  examination.has_run_in_child = true;
  examination.Contain([&] { RunFile(examination); });
}

void CandidateChecker::OpenFile(const PlannedFile& planned, Examination& examination) const {
  Candidate& candidate = examination.candidate;
  probing::CandidateLadder& ladder = examination.ladder;
  candidate.stages.reserve(kNumStages);
  ladder.Begin(Stage::kName);
  if (auto disabled = disabled_.CheckFile(planned.path, diagnostics::GetFileName(planned.path))) {
    ladder.Report(std::move(*disabled));
    examination.Finish(CandidateStatus::kSkipped);
    return;
  }
  if (planned.name_fault) ladder.Report(*planned.name_fault);

  ladder.Begin(Stage::kFile);
  auto [file, failure] = files::OpenCandidateFile(planned.path, planned.direct_path);
  candidate.canonical_path = file.canonical_path;
  if (failure) {
    ladder.Report(std::move(*failure));
    examination.Finish(CandidateStatus::kRejected);
    return;
  }
  examination.file = std::move(file);
}

void CandidateChecker::ReadFile(Examination& examination) const {
  if (!OpenAgain(examination)) return;
  CheckTrust(examination);
  if (options_.facts == FactDetail::kAll) CollectFacts(examination);
  if (!examination.is_trusted) return;
  Inspect(examination);
  // One whose manifest has a disabled id is not run at all.
  if (!CheckIsEnabled(examination)) return;
  CheckList(examination);
  if (examination.ladder.HasFailed()) examination.Finish(CandidateStatus::kRejected);
}

void CandidateChecker::RunFile(Examination& examination) const {
  if (!OpenAgain(examination)) return;
  Probe(examination);
  if (examination.is_finished || !CheckIsEnabled(examination)) return;
  if (examination.ladder.HasFailed()) examination.Finish(CandidateStatus::kRejected);
}

bool CandidateChecker::OpenAgain(Examination& examination) const {
  auto failure = files::OpenAgain(*examination.file, examination.candidate.path);
  if (!failure) return true;
  examination.ladder.Report(std::move(*failure));
  examination.Finish(CandidateStatus::kRejected);
  return false;
}

void CandidateChecker::CheckTrust(Examination& examination) const {
  for (Diagnostic& diagnostic : trust_.Check(examination.candidate.path, *examination.file)) {
    if (diagnostic.severity == Severity::kError) examination.is_trusted = false;
    examination.ladder.Report(std::move(diagnostic));
  }
  if (!examination.is_trusted) examination.Finish(CandidateStatus::kRejected);
}

void CandidateChecker::CollectFacts(Examination& examination) const {
  examination.ladder.Stop();
  examination.candidate.facts =
      report::CollectFacts(*examination.file, examination.is_trusted ? report::Contents::kRead
                                                                     : report::Contents::kLeave);
}

void CandidateChecker::Inspect(Examination& examination) const {
  probing::CandidateLadder& ladder = examination.ladder;
  ladder.Stop();
  auto file =
      inspection::InspectFile(examination.file->descriptor.Get(), examination.candidate.path);
  for (auto& stage : file.stages) {
    ladder.Add(stage.stage, stage.duration, std::move(stage.diagnostics));
  }
  examination.candidate.identity = probing::GetInspectedIdentity(file);
  InspectedCandidate inspected;
  inspected.note = file.note;
  inspected.manifest = std::move(file.manifest);
  inspected.opens_libraries = file.opens_libraries;
  if (file.elf && !ladder.HasFailed()) {
    const auto start = std::chrono::steady_clock::now();
    inspected.account = judge_.ReadAccount(*file.elf, examination.file->canonical_path);
    inspected.account_duration = std::chrono::steady_clock::now() - start;
  }
  examination.inspected = std::move(inspected);
  CheckDependencies(file, examination);
}

void CandidateChecker::CheckDependencies(const inspection::InspectedFile& file,
                                         Examination& examination) const {
  probing::CandidateLadder& ladder = examination.ladder;
  // The loader will resolve dependencies itself; doing it here too would only cost time.
  const bool will_be_opened = options_.probe != ProbeMode::kInspect && !ladder.HasFailed();
  const bool is_wanted = options_.dependencies == DependencyCheck::kAlways || !will_be_opened;
  const bool has_format = file.stages.size() > 1;
  // The loader does not know what the file opens when it runs.
  if (!has_format || (!is_wanted && !file.opens_libraries)) return;
  const std::string& path = examination.candidate.path;
  const std::string& canonical_path = examination.file->canonical_path;
  auto dependencies =
      is_wanted ? dependencies_->Inspect(examination.file->descriptor.Get(), path, canonical_path)
                : dependencies_->InspectLate(*file.elf, path, canonical_path);
  ladder.Add(Stage::kDependencies, dependencies.duration, std::move(dependencies.diagnostics));
}

/// What others found out is known before its code runs.
void CandidateChecker::CheckList(Examination& examination) const {
  const std::vector<KnownBadBackend>& known_bad = options_.configuration.known_bad;
  if (known_bad.empty()) return;
  auto bad = CheckKnownBad(known_bad, examination.candidate.path,
                           examination.file->descriptor.Get(), examination.inspected->manifest);
  if (bad) examination.ladder.Add(Stage::kAbi, std::chrono::nanoseconds(0), {std::move(*bad)});
}

void CandidateChecker::Probe(Examination& examination) const {
  Candidate& candidate = examination.candidate;
  candidate.where = ProbedIn::kChild;
  const bool asks_again =
      kept_of_devices_ == KeptOfDevices::kAskAgain && RestsOnDevice(examination);
  const auto circumstances = verdicts_->Describe(*examination.file, candidate.path);
  auto kept = asks_again ? std::nullopt : verdicts_->Find(circumstances);
  if (kept) {
    candidate.verdict_of = std::chrono::system_clock::time_point(kept->written);
    examination.ladder.Adopt(std::move(kept->candidate));
    CheckAdopted(examination);
    return;
  }
  const probing::SandboxPlan sandbox = PlanSandbox(candidate);
  probing::ProbeVerdict verdict = ProbeInChild(examination, sandbox);
  const bool is_sandboxed = sandbox.sandbox != Sandbox::kNone;
  const auto& identity = verdict.candidate.identity;
  // Only now do we know its id, and that no rule means it.
  const bool is_wronged = is_sandboxed && verdict.candidate.status != CandidateStatus::kLoaded &&
                          identity &&
                          !isolation::IsIsolated(options_, identity->id, candidate.path);
  const std::string id_in_sandbox = identity ? identity->id : std::string();
  if (is_wronged) verdict = ProbeInChild(examination, {});
  const bool has_other_id = is_wronged && identity && identity->id != id_in_sandbox;
  // What it does in a sandbox tells little of what it does elsewhere.
  const bool may_be_kept = !is_sandboxed || (is_wronged && !has_other_id);
  if (may_be_kept) verdicts_->Store(circumstances, verdict);
  candidate.where = verdict.candidate.where;
  const CandidateStatus status = verdict.candidate.status;
  examination.ladder.Adopt(std::move(verdict.candidate));
  if (has_other_id) {
    probing::CheckSameId(id_in_sandbox, candidate, examination.ladder);
    examination.Finish(CandidateStatus::kRejected);
  } else if (status == CandidateStatus::kLoaded) {
    CheckAdopted(examination);
  } else {
    probing::CheckIdentity(examination.inspected->manifest, candidate, examination.ladder);
    examination.Finish(status);
  }
}

probing::SandboxPlan CandidateChecker::PlanSandbox(const Candidate& candidate) const {
  return isolation::PlanSandbox(options_, candidate.identity ? &*candidate.identity : nullptr,
                                candidate.path);
}

probing::ProbeVerdict CandidateChecker::ProbeInChild(Examination& examination,
                                                     const probing::SandboxPlan& sandbox) const {
  return probing::ProbeFile(*examination.file, examination.candidate.path,
                            probing::ProbeDepth::kCreate, GetStatedVersion(examination),
                            {options_.probe_settings, sandbox}, examination.slot);
}

/// Of a backend that passed every stage elsewhere.
void CandidateChecker::CheckAdopted(Examination& examination) const {
  probing::CheckIdentity(examination.inspected->manifest, examination.candidate,
                         examination.ladder);
  probing::CheckCapabilities(examination.inspected->manifest, examination.candidate,
                             examination.ladder);
  const Candidate& candidate = examination.candidate;
  // What an isolated one does, it does to its own process.
  const bool is_isolated =
      candidate.identity && isolation::IsIsolated(options_, candidate.identity->id, candidate.path);
  probing::CheckIntrusions(
      is_isolated ? IntrusiveBackends::kAllow : options_.probe_settings.intrusive, candidate,
      examination.ladder);
}

bool CandidateChecker::CheckIsEnabled(Examination& examination) const {
  const Candidate& candidate = examination.candidate;
  if (!candidate.identity) return true;
  auto disabled = disabled_.CheckId(candidate.path, candidate.identity->id);
  if (!disabled) return true;
  examination.ladder.Report(std::move(*disabled));
  examination.Finish(CandidateStatus::kSkipped);
  return false;
}

/// An object of another host is called in a process of its own and nowhere else, so that the report
/// can say what it declares.
void CandidateChecker::AskForDeclaration(Examination& examination) const {
  Candidate& candidate = examination.candidate;
  Diagnostic* no_note = FindOnlyNoAbiNote(candidate);
  if (no_note == nullptr || files::OpenAgain(*examination.file, candidate.path)) return;
  const probing::ProbeVerdict verdict =
      probing::ProbeFile(*examination.file, candidate.path, probing::ProbeDepth::kIdentify,
                         GetStatedVersion(examination),
                         {options_.probe_settings, PlanSandbox(candidate)}, examination.slot);
  candidate.where = verdict.candidate.where;
  candidate.identity = verdict.candidate.identity;
  if (!candidate.identity) {
    const Diagnostic* why = GetHeadline(verdict.candidate);
    if (why != nullptr) no_note->causes.push_back(*why);
    return;
  }
  const BackendVersion version = candidate.identity->api_version;
  no_note->why += "; it declares the id \"" + candidate.identity->id + "\" and version " +
                  std::to_string(version.major) + '.' + std::to_string(version.minor);
}

}  // namespace backplane::scanning
