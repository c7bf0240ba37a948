#include "probing/explain_account.hpp"

#include "diagnostics/file_words.hpp"
#include "spawn/ends.hpp"

#include <backplane/host/contexts.hpp>
#include <backplane/host/system_refusal.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace backplane::probing {
namespace {

/// Joins as many texts as anybody reads, and says how many more there are.
std::string Join(const std::vector<std::string>& texts) {
  constexpr std::size_t kMaxTexts = 24;
  std::string joined;
  for (std::size_t i = 0; i < texts.size() && i < kMaxTexts; ++i) {
    joined += (joined.empty() ? "" : "; ") + texts[i];
  }
  if (texts.size() > kMaxTexts) {
    joined += "; and " + std::to_string(texts.size() - kMaxTexts) + " more";
  }
  return joined;
}

/// Something that a backend did besides what it was asked for, if it did.
struct Remark {
  bool is_due;
  DiagnosticCode code;
  const char* what;
  std::string found;
  const char* fix;
  Severity severity = Severity::kWarning;
};

std::vector<Remark> ListRemarks(const ProbeAccount& account) {
  const StateChanges state = account.report ? account.report->state : StateChanges();
  const bool has_left_processes = !account.has_copy && account.num_processes_left != 0;
  return {
      {!state.changes.empty(), DiagnosticCode::kChangedProcessState,
       "changes the process that loads it", "changed: " + Join(state.changes),
       "vendor: leave to the application what belongs to the whole process, and link without "
       "-ffast-math, which changes how floating-point numbers are treated"},
      {state.num_threads_left != 0, DiagnosticCode::kLeftThreads,
       "leaves threads running when all that was made from it is gone",
       Count(state.num_threads_left, "thread") + " more than before it was opened, expected none",
       "vendor: end the threads with the object that started them; as long as they run, closing "
       "the library would crash, and so it stays open",
       state.are_threads_own ? Severity::kWarning : Severity::kNote},
      {!state.descriptors_left.empty(), DiagnosticCode::kLeftDescriptors, "leaves files open",
       "open when all that was made from it was gone: descriptor " + Join(state.descriptors_left),
       "vendor: close them with the object that opened them", Severity::kNote},
      {account.has_copy, DiagnosticCode::kLeftProcesses,
       "makes a second process of the one that loads it",
       "a copy of the process, made by fork, that came back to the host and went on with its "
       "work; it was ended",
       "vendor: call exec or _exit in the process that fork makes"},
      {has_left_processes, DiagnosticCode::kLeftProcesses,
       "starts processes and leaves them running",
       Count(account.num_processes_left, "process") +
           " below the one that checked it; they were ended",
       "vendor: wait for the processes that are started"},
      {account.stdout_bytes != 0, DiagnosticCode::kWroteToOutput,
       "writes to standard output while it is loaded",
       Count(account.stdout_bytes, "byte") + ", beginning with \"" + account.stdout_start + '"',
       "vendor: standard output is the application's; use the logger that the backend is given",
       Severity::kNote},
  };
}

void MakeRemarks(const ProbeAccount& account, const std::string& path, Candidate& candidate) {
  for (const Remark& remark : ListRemarks(account)) {
    if (!remark.is_due) continue;
    candidate.diagnostics.push_back(diagnostics::DescribeFile(
        remark.code, path, remark.what, "found " + remark.found, remark.fix, remark.severity));
  }
  if (!account.has_copy && account.num_processes_left == 0) return;
  candidate.intrusions.push_back(Intrusion::kProcesses);
  std::sort(candidate.intrusions.begin(), candidate.intrusions.end());
}

void FailStage(Stage stage, Candidate& candidate) {
  candidate.stage = stage;
  for (StageRecord& record : candidate.stages) {
    if (record.stage != stage) continue;
    record.has_failed = true;
    return;
  }
  candidate.stages.push_back({stage, std::chrono::nanoseconds(0), true});
}

/// Whether the plugin's process reported, closed the library and came to its end.
bool HasEndedWell(const ProbeAccount& account) {
  return account.report && !account.is_inspected && account.is_closed && account.is_ended &&
         account.end == ProcessEnd::kExited && account.exit_code == 0;
}

/// Reports what its end means, unless the libraries that it needs tell more: then as their cause.
void ReportDeath(const ProbeAccount& account, Diagnostic death, Candidate& candidate) {
  if (!account.report || !account.is_inspected) {
    FailStage(account.stage, candidate);
    candidate.diagnostics.push_back(std::move(death));
    return;
  }
  for (Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.severity == Severity::kError) diagnostic.causes.push_back(death);
  }
}

void RejectSender(const ProbeAccount& account, const std::string& path, Candidate& candidate) {
  candidate.status = CandidateStatus::kRejected;
  FailStage(account.stage, candidate);
  candidate.diagnostics.push_back(diagnostics::DescribeFile(
      DiagnosticCode::kSignalledParent, path,
      "sends signals to the parent of the process that loads it",
      "found " + spawn::GetSignalName(account.signal_to_watcher) +
          " from it in the process that watches it; in an application that would be the shell or "
          "service that started it",
      "vendor: signal only processes that the backend started itself; until then disable it with "
      "BACKPLANE_DISABLE_BACKENDS=" +
          diagnostics::GetFileName(path)));
}

/// Where memory was refused to a backend that went on, the limit of the check may be why.
void NameLimits(const ProbeAccount& account, Candidate& candidate) {
  for (Diagnostic& diagnostic : candidate.diagnostics) {
    const bool is_refusal = diagnostic.severity == Severity::kError || IsUnavailability(diagnostic);
    if (is_refusal && SpeaksOfMemory(diagnostic.why)) diagnostic.why += NameDataLimit(account);
  }
}

struct Cure {
  int error;
  const char* text;  // "{program}" stands for the program
};

constexpr Cure kInstall = {ENOENT, "install backplane-probe " BACKPLANE_VERSION
                                   " beside libbackplane-host.so, and see that it can be executed"};

constexpr Cure kCures[] = {
    kInstall,
    {ENOTDIR, kInstall.text},
    {EACCES,
     "this user may not execute {program}: give the right with chmod a+rx, also for the "
     "directories above it, and see that it is backplane-probe, that its file system is not "
     "mounted noexec and that no security module (dmesg) forbids it"},
    {EPERM,
     "the system forbids this process to start another: look for a filter of system calls "
     "(seccomp: SystemCallFilter= of a service, the profile of a container) or a security "
     "module, and allow clone and execve, or scan with --probe in-process"},
    {ENOSYS,
     "the system forbids this process to start another: look for a filter of system calls "
     "(seccomp: SystemCallFilter= of a service, the profile of a container), and allow "
     "clone and execve, or scan with --probe in-process"},
    {ENOEXEC,
     "{program} is not a program for this machine: install backplane-probe " BACKPLANE_VERSION
     " of this system"},
    {ETXTBSY, "{program} is being written: scan again when it is whole"},
};

constexpr char kNameTheProgram[] =
    "{program} is a directory: give the path of the program, which is called backplane-probe";

bool IsDirectory(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

Candidate ExplainAccount(const ProbeAccount& account, const std::string& path) {
  Candidate candidate;
  if (account.report) candidate = account.report->candidate;
  NameLimits(account, candidate);
  candidate.path = path;
  candidate.where = ProbedIn::kChild;
  if (!HasEndedWell(account)) {
    candidate.status = CandidateStatus::kRejected;
    ReportDeath(account, ExplainDeath(account, path), candidate);
  }
  if (account.signal_to_watcher != 0) RejectSender(account, path, candidate);
  MakeRemarks(account, path, candidate);
  return candidate;
}

std::string Count(std::uint64_t number, const std::string& thing) {
  const char* const ending = thing.back() == 's' ? "es" : "s";
  return std::to_string(number) + ' ' + thing + (number == 1 ? "" : ending);
}

std::string AdviseOnStart(int error, const std::string& program) {
  if (const auto refusal = ExplainRefusal(error)) {
    return refusal->found + ": " + refusal->cure + ", then scan again";
  }
  std::string advice = kInstall.text;
  if (program.empty()) advice = "check the limits of processes and memory (ulimit -u, ulimit -v)";
  for (const Cure& cure : kCures) {
    if (cure.error == error) advice = cure.text;
  }
  if (error == EACCES && IsDirectory(program)) advice = kNameTheProgram;
  constexpr char kPlaceholder[] = "{program}";
  const std::size_t at = advice.find(kPlaceholder);
  if (at != std::string::npos) {
    advice.replace(at, sizeof(kPlaceholder) - 1, program.empty() ? "the program" : program);
  }
  return advice;
}

}  // namespace backplane::probing
