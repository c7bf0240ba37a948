#include "scanning/scan_run.hpp"

#include "scanning/candidate_registrar.hpp"
#include "scanning/joint_check.hpp"
#include "scanning/run_ahead.hpp"
#include "scanning/variant_places.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace backplane::scanning {
namespace {

conflicts::HostProcess DescribeHost(const ScanOptions& options) {
  auto program =
      options.program.empty() ? std::nullopt : conflicts::DescribeProgram(options.program);
  return program ? std::move(*program) : conflicts::DescribeThisProcess();
}

Diagnostic DescribeOtherVersion(const std::string& path, const std::string& chosen) {
  Diagnostic diagnostic{DiagnosticCode::kOtherVersionChosen, Severity::kNote};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " was not looked at";
  diagnostic.why = chosen + " comes first: the name without version, then the highest version";
  diagnostic.fix = "to use this one, remove or rename that one";
  return diagnostic;
}

/// The files that are tried in a place behind the current one of a contender: the versions behind
/// it, then those of the other contenders of its vendor.
std::vector<PlannedFile> ListNext(const VariantPlace& place, std::size_t contender) {
  const auto get_vendor = [](const ScanFamily& family) {
    return DescribeVariant(family, family.GetCurrent()->candidate).vendor;
  };
  const std::string vendor = get_vendor(*place.contenders[contender]);
  std::vector<PlannedFile> next;
  for (std::size_t i = contender; i < place.contenders.size(); ++i) {
    const ScanFamily& family = *place.contenders[i];
    if (family.GetCurrent() == nullptr || get_vendor(family) != vendor) continue;
    const auto& files = family.planned->files;
    const std::size_t first = family.current + (i == contender ? 1 : 0);
    next.insert(next.end(), files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  return next;
}

}  // namespace

ScanRun::ScanRun(const ScanOptions& options, Admission admission, BackendRegistry& registry,
                 std::vector<LoadedContext>* contexts)
    : options_(options),
      admission_(admission),
      registry_(registry),
      plan_(PlanScan(options)),
      judge_(std::make_unique<conflicts::ConflictJudge>(DescribeHost(options),
                                                        admission == Admission::kLate
                                                            ? conflicts::OpeningOrder::kOfUse
                                                            : conflicts::OpeningOrder::kOfTheScan)),
      checker_(std::make_unique<CandidateChecker>(
          options, *judge_,
          admission == Admission::kChildOnly ? KeptOfDevices::kAskAgain : KeptOfDevices::kUse)),
      registrar_(std::make_unique<CandidateRegistrar>(*checker_, *judge_, admission, options,
                                                      registry, contexts)),
      steps_(options) {}

ScanRun::~ScanRun() = default;

LoadReport ScanRun::Run() {
  ReadFiles();
  if (options_.probe == ProbeMode::kChild) {
    ProbeAhead();
  } else if (options_.probe == ProbeMode::kInProcess) {
    OpenUnknown();
  }
  if (options_.probe == ProbeMode::kChild) {
    steps_.Begin(ScanDeed::kRunTogether, 1);
    steps_.Tell("");
    report_.joint_run =
        JointCheck(options_, registry_, judge_->GetHost(), *checker_).Run(families_);
  }
  FillPlaces();
  AdmitUnknown();
  ConcludeChoice(families_, options_.variants, registry_, report_);
  for (ScanFamily& family : families_) ShadowOtherVersions(family);
  Collect();
  judge_->Conclude(report_);
  report_.configuration = {options_.configuration.directory, options_.configuration.diagnostics};
  if (auto fault = checker_->DescribeCacheFault()) {
    report_.configuration.diagnostics.push_back(std::move(*fault));
  }
  return std::move(report_);
}

void ScanRun::ReadFiles() {
  // A process that has had other threads pays more for what the loader maps, as much as they gain.
  std::vector<std::unique_ptr<Examination>> ahead;
  const auto is_read = [](const ScanPlan::Step& step) { return !step.family.files.empty(); };
  const auto num_read = std::count_if(plan_.steps.begin(), plan_.steps.end(), is_read);
  steps_.Begin(ScanDeed::kRead, static_cast<std::size_t>(num_read));
  if (admission_ != Admission::kOpen) ahead = ReadAhead(plan_, *checker_, steps_);
  const bool is_told = !ahead.empty();
  ahead.resize(plan_.steps.size());
  families_.reserve(plan_.steps.size());
  for (std::size_t step = 0; step < plan_.steps.size(); ++step) {
    const auto& files = plan_.steps[step].family.files;
    if (!is_told && !files.empty()) steps_.Tell(files.front().path);
    families_.push_back(ReadFamily(plan_.steps[step].family, std::move(ahead[step])));
  }
}

/// Null: without `ahead`, nothing was done with the file.
std::unique_ptr<Examination> ScanRun::OpenNew(const PlannedFile& file,
                                              std::unique_ptr<Examination> ahead) {
  // Of a file that was seen before, nothing is told that was read ahead.
  auto version = ahead && !registrar_->WasSeen(*ahead) ? std::move(ahead) : checker_->Open(file);
  if (version->file) {
    version->Contain([&] { registrar_->CheckIsNew(*version); });
  }
  return version;
}

/// Every version is opened, to see whether it is a file that was seen before; those up to the first
/// that passes are read.
ScanFamily ScanRun::ReadFamily(const PlannedFamily& planned, std::unique_ptr<Examination> ahead) {
  ScanFamily family;
  family.planned = &planned;
  family.current = planned.files.size();
  for (const PlannedFile& file : planned.files) {
    auto version = OpenNew(file, std::move(ahead));
    const bool is_wanted = !version->is_finished && family.GetCurrent() == nullptr;
    if (is_wanted && !version->inspected) checker_->Read(*version);
    if (!version->is_trusted) registrar_->Forget(*version);
    version->CloseFile();
    family.files.push_back(std::move(version));
    if (is_wanted && !family.files.back()->is_finished) family.current = family.files.size() - 1;
  }
  return family;
}

void ScanRun::ProbeAhead() {
  std::vector<Task> tasks;
  AddPlaceTasks(tasks);
  AddDeclarationTasks(tasks);
  steps_.Begin(ScanDeed::kRun, tasks.size());
  RunAhead(tasks);
}

/// One for each place whose id is known, which runs files until one passes, and one for each file
/// whose id is not.
void ScanRun::AddPlaceTasks(std::vector<Task>& tasks) {
  for (VariantPlace& place : MakePlaces(families_, options_.variants)) {
    if (registry_.IsBackendRegistered(place.id) || place.contenders.empty()) continue;
    tasks.push_back([this, place = std::move(place)](spawn::HeldSlot& held) {
      steps_.Tell(place.contenders.front()->planned->files.front().path);
      for (ScanFamily* family : place.contenders) {
        ProbeFamily(*family, *checker_, &held);
        const Examination* version = family->GetCurrent();
        const bool has_passed = version != nullptr && !version->is_finished;
        if (has_passed && version->candidate.identity->id == place.id) return;
      }
    });
  }
  for (ScanFamily& family : families_) {
    const Examination* version = family.GetCurrent();
    if (version == nullptr || version->candidate.identity) continue;
    tasks.push_back([this, &family](spawn::HeldSlot& held) {
      steps_.Tell(family.planned->files.front().path);
      ProbeFamily(family, *checker_, &held);
    });
  }
}

void ScanRun::AddDeclarationTasks(std::vector<Task>& tasks) {
  for (ScanFamily& family : families_) {
    for (const auto& version : family.files) {
      if (version->candidate.status != CandidateStatus::kRejected || !version->is_finished)
        continue;
      tasks.push_back([this, &version = *version](spawn::HeldSlot& held) {
        steps_.Tell(version.candidate.path);
        version.slot = &held;
        checker_->AskForDeclaration(version);
        version.slot = nullptr;
        version.CloseFile();
      });
    }
  }
}

/// Files whose id only their code tells are opened before any other, so that none is opened for an
/// id that another one gets.
void ScanRun::OpenUnknown() {
  for (ScanFamily& family : families_) {
    Examination* version = family.GetCurrent();
    while (version != nullptr && !version->candidate.identity) {
      registrar_->Open(*version);
      if (!version->is_finished || StandsForFamily(version->candidate.status)) break;
      version = MoveOn(family, *checker_) ? family.GetCurrent() : nullptr;
    }
  }
}

void ScanRun::FillPlaces() {
  for (const VariantPlace& place : MakePlaces(families_, options_.variants)) {
    if (!registry_.IsBackendRegistered(place.id)) FillPlace(place);
  }
}

void ScanRun::FillPlace(const VariantPlace& place) {
  for (std::size_t i = 0; i < place.contenders.size(); ++i) {
    if (Try(*place.contenders[i], place, i)) return;
  }
}

/// True: the family has a file that is used for the id of the place.
bool ScanRun::Try(ScanFamily& family, const VariantPlace& place, std::size_t contender) {
  while (true) {
    // What runs ahead left out, because one before it passed there and failed since.
    if (options_.probe == ProbeMode::kChild) ProbeFamily(family, *checker_, nullptr);
    Examination* version = family.GetCurrent();
    if (version == nullptr) return false;
    if (!version->is_finished) Admit(*version, place, contender);
    if (!version->is_finished) return false;  // its id is not that of the place, and is registered
    const Candidate& candidate = version->candidate;
    if (StandsForFamily(candidate.status)) {
      return candidate.status != CandidateStatus::kUnavailable && candidate.identity &&
             candidate.identity->id == place.id;
    }
    if (!MoveOn(family, *checker_)) return false;
  }
}

void ScanRun::Admit(Examination& version, const VariantPlace& place, std::size_t contender) {
  const bool may_fail_later = admission_ == Admission::kLate;
  registrar_->Admit(version,
                    may_fail_later ? ListNext(place, contender) : std::vector<PlannedFile>());
}

/// Where nothing is run, ids may stay unknown.
void ScanRun::AdmitUnknown() {
  for (ScanFamily& family : families_) {
    Examination* version = family.GetCurrent();
    const bool is_unknown =
        version != nullptr && !version->is_finished && !version->candidate.identity;
    if (is_unknown) registrar_->Admit(*version, {});
  }
}

/// Behind the version that stands for a name, the others only stand back.
void ScanRun::ShadowOtherVersions(ScanFamily& family) {
  const Examination* chosen = family.GetCurrent();
  if (chosen == nullptr) return;
  for (std::size_t i = family.current + 1; i < family.files.size(); ++i) {
    Examination& other = *family.files[i];
    if (other.is_finished) continue;
    other.candidate.shadowed_by = chosen->candidate.path;
    other.ladder.Report(DescribeOtherVersion(other.candidate.path, chosen->candidate.path));
    other.Finish(CandidateStatus::kShadowed);
  }
}

void ScanRun::Collect() {
  report_.search_paths = std::move(plan_.search_paths);
  report_.candidates.reserve(families_.size());
  for (std::size_t step = 0; step < families_.size(); ++step) {
    if (plan_.steps[step].skipped) {
      report_.candidates.push_back(std::move(*plan_.steps[step].skipped));
    }
    for (const auto& version : families_[step].files) {
      report_.candidates.push_back(std::move(version->candidate));
    }
  }
}

}  // namespace backplane::scanning
