#include "probing/joint_run.hpp"

#include "libraries/loaded_libraries.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace backplane::probing {
namespace {

using std::chrono::milliseconds;

// How long causes are looked for. After this limit, the backend whose turn it was stays out.
constexpr std::size_t kMostRuns = 500;
constexpr std::chrono::seconds kMostTime{30};

bool HasPassed(const ProbeVerdict& verdict) {
  return verdict.candidate.status == CandidateStatus::kLoaded;
}

bool HasCode(const Candidate& candidate, DiagnosticCode code) {
  return std::any_of(candidate.diagnostics.begin(), candidate.diagnostics.end(),
                     [&](const Diagnostic& diagnostic) { return diagnostic.code == code; });
}

/// Each that hangs costs this, so it is as short as those that passed alone allow.
milliseconds ChooseTimeout(const std::vector<Participant>& participants, const ProbeVerdict& first,
                           milliseconds most) {
  constexpr milliseconds kLeast{2000};
  constexpr int kTimesAlone = 10;
  if (!HasCode(first.candidate, DiagnosticCode::kPluginTimedOut)) return most;
  std::chrono::nanoseconds longest{0};
  for (const Participant& participant : participants) {
    longest = std::max(longest, participant.alone);
  }
  const auto enough = std::chrono::duration_cast<milliseconds>(kTimesAlone * longest);
  return std::min(most, std::max(kLeast, enough));
}

JointClash MakeClash(const ProbeVerdict& verdict) {
  JointClash clash;
  clash.ends_process = !verdict.is_own_status;
  clash.end = DescribeEnd(verdict.candidate);
  return clash;
}

/// Paths and SONAMEs of the library that has an address, and of what it needs.
std::set<std::string> ListNames(const void* address) {
  std::set<std::string> names;
  for (libraries::LoadedLibrary& library : libraries::ListLoadedNeeds(address)) {
    names.insert(std::move(library.soname));
    names.insert(std::move(library.path));
  }
  return names;
}

std::vector<std::size_t> CountUpTo(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace

std::vector<ProgramLibrary> ListProgramLibraries(const conflicts::HostProcess& host,
                                                 WhoseProcess process) {
  static const char kHere = 0;
  const auto of_probe = ListNames(&kHere);
  const auto of_program = ListNames(nullptr);
  std::vector<ProgramLibrary> libraries;
  for (std::size_t i = 1; i < host.files.size(); ++i) {
    const auto& [path, soname] = host.files[i];
    // The loader would open a second one of a name that the probe has at another path.
    const bool has_probe =
        of_probe.count(path) != 0 || (!soname.empty() && of_probe.count(soname) != 0);
    if (has_probe) continue;
    libraries.push_back({path, process == WhoseProcess::kOther || of_program.count(path) != 0});
  }
  return libraries;
}

JointRun::JointRun(const ProbeSettings& settings, std::vector<ProgramLibrary> libraries)
    : settings_(settings), libraries_(std::move(libraries)), verdicts_(settings) {}

JointOutcome JointRun::Run(const std::vector<Participant>& participants) {
  std::vector<PluginFile> files;
  for (const Participant& participant : participants) files.push_back(participant.file);
  JointOutcome outcome;
  const Circumstances circumstances = verdicts_.Describe(libraries_, files);
  if (const auto kept = verdicts_.Find(circumstances)) {
    outcome.has_passed = true;
    outcome.verdict_of = std::chrono::system_clock::time_point(kept->written);
    return outcome;
  }
  const std::vector<std::size_t> all = CountUpTo(libraries_.size() + files.size());
  const ProbeVerdict verdict = Try(participants, all, settings_.timeout);
  if (HasPassed(verdict)) {
    verdicts_.Store(circumstances, verdict);
    outcome.has_passed = true;
    return outcome;
  }
  if (!verdict.is_run || HasCode(verdict.candidate, DiagnosticCode::kFileChanged)) {
    outcome.doubts.push_back(DescribeNotRun(verdict.candidate));
    return outcome;
  }
  if (IsOfLibraries(verdict, all)) {
    const std::string library = libraries_[verdict.member].path;
    libraries_.clear();
    outcome = IsWanted(participants.size()) ? Run(participants) : JointOutcome();
    outcome.doubts.push_back(DescribeLibrary(library, verdict.candidate));
    return outcome;
  }
  return FindCause(participants, verdict);
}

ProbeVerdict JointRun::Try(const std::vector<Participant>& participants,
                           const std::vector<std::size_t>& numbers, milliseconds timeout) {
  ++num_runs_;
  std::vector<ProgramLibrary> libraries;
  std::vector<PluginFile> files;
  for (const std::size_t number : numbers) {
    if (number < libraries_.size()) {
      libraries.push_back(libraries_[number]);
    } else {
      files.push_back(participants[number - libraries_.size()].file);
    }
  }
  ProbeSettings settings = settings_;
  settings.timeout = timeout;
  return ProbeTogether(std::move(libraries), std::move(files), settings);
}

bool JointRun::IsSearchOver() const {
  return num_runs_ >= kMostRuns || std::chrono::steady_clock::now() - begin_ >= kMostTime;
}

JointOutcome JointRun::FindCause(const std::vector<Participant>& participants,
                                 const ProbeVerdict& first) {
  const milliseconds timeout = ChooseTimeout(participants, first, settings_.timeout);
  ProbeVerdict last_bad;
  const auto ends_badly = [&](const std::vector<std::size_t>& numbers) -> std::optional<bool> {
    // The program has lived with its libraries.
    if (numbers.back() < libraries_.size()) return false;
    if (IsSearchOver()) return std::nullopt;
    ProbeVerdict verdict = Try(participants, numbers, timeout);
    if (!verdict.is_run) return std::nullopt;
    if (HasPassed(verdict) || IsOfLibraries(verdict, numbers)) return false;
    last_bad = std::move(verdict);
    return true;
  };
  JointOutcome outcome;
  const auto set = FindSmallestSet(libraries_.size() + participants.size(), ends_badly);
  if (!set && IsSearchOver()) {
    outcome.clash = MakeClash(first);
    outcome.clash->is_whole = false;
    outcome.clash->participants = {first.member - libraries_.size()};
    return outcome;
  }
  if (!set) {
    outcome.doubts.push_back(DescribeUndecided(first.candidate, num_runs_));
    return outcome;
  }
  outcome.clash = MakeClash(last_bad);
  for (const std::size_t number : *set) {
    if (number < libraries_.size()) {
      outcome.clash->libraries.push_back(libraries_[number].path);
    } else {
      outcome.clash->participants.push_back(number - libraries_.size());
    }
  }
  const std::size_t num_clashing = outcome.clash->participants.size();
  if (num_clashing > 1 && num_clashing < participants.size()) {
    FindCommon(participants, ends_badly, *outcome.clash);
  }
  return outcome;
}

/// One that takes part in every bad end is in each smallest set: all others pass without it.
void JointRun::FindCommon(const std::vector<Participant>& participants, const EndsBadly& ends_badly,
                          JointClash& clash) const {
  for (const std::size_t participant : clash.participants) {
    std::vector<std::size_t> others = CountUpTo(libraries_.size() + participants.size());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(libraries_.size() + participant));
    const auto is_bad = ends_badly(others);
    if (is_bad && !*is_bad) clash.common.push_back(participant);
  }
}

}  // namespace backplane::probing
