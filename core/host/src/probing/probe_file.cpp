#include "probing/probe_file.hpp"

#include "backend/shared_library.hpp"
#include "diagnostics/file_words.hpp"
#include "probing/explain_account.hpp"
#include "probing/loader_trace.hpp"
#include "sandbox/worker_environment.hpp"
#include "spawn/child_program.hpp"
#include "spawn/ends.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <utility>

namespace backplane::probing {
namespace {

// Longer ones mean "without end", and could not be added to a point in time.
constexpr std::chrono::milliseconds kMaxTimeout = std::chrono::hours(24);

using Clock = std::chrono::steady_clock;
using wire::FileDescriptor;

// The probe ends what it watches by itself; this is for one that cannot.
constexpr std::chrono::seconds kGrace{10};
constexpr std::size_t kMaxReceivedBytes = std::size_t{8} << 20U;
const std::vector<std::string> kEveryVariable = {"*"};

/// This process's environment, in a sandbox what a worker has of it, and that the loader tells
/// which constructors it runs.
std::vector<std::string> MakeEnvironment(const SandboxPlan& plan) {
  const bool is_sandboxed = plan.sandbox != Sandbox::kNone;
  std::vector<std::string> variables = sandbox::MakeWorkerEnvironment(
      environ, is_sandboxed ? plan.variables : kEveryVariable, is_sandboxed);
  variables.emplace_back("LD_DEBUG=libs");
  return variables;
}

/// Reads the account. Another process of the host may have the other end open too, when it was
/// forked at the wrong moment, and write there: so the account's own end is looked for, and once
/// the probe has ended nothing is waited for.
/// Returns why reading stopped before it or the pipe's end; "": it did not.
std::string ReadAccount(int pipe, const spawn::StartedProcess& probe, Clock::time_point deadline,
                        spawn::HeldSlot* slot, std::string& received) {
  constexpr std::int64_t kStepMs = 25;
  constexpr std::int64_t kLongStepMs = 100;
  char buffer[16384];
  while (received.size() < kMaxReceivedBytes) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd event{pipe, POLLIN, 0};
    if (left <= 0) return "it did not answer in time and was ended";
    const bool has_ended = probe.HasEnded();  // before its last words are looked for
    const bool is_hurried = slot != nullptr && !slot->IsAsleep();
    const std::int64_t step = std::min(left, is_hurried ? kStepMs : kLongStepMs);
    const int num_ready = poll(&event, 1, has_ended ? 0 : static_cast<int>(step));
    if (num_ready < 0 && errno != EINTR) return "its answer cannot be waited for";
    if (num_ready == 0 && has_ended) return "";
    if (num_ready == 0 && slot != nullptr) slot->Look(probe.GetNumber());
    if (num_ready <= 0) continue;
    const ssize_t bytes = read(pipe, buffer, sizeof(buffer));
    if (bytes > 0) received.append(buffer, static_cast<std::size_t>(bytes));
    if (bytes == 0 || IsWholeAccount(received, sizeof(buffer))) return "";
    if (bytes < 0 && errno != EINTR) return "its answer cannot be read";
  }
  return "it wrote more than any answer has and was ended";
}

/// The outcome of running the probe.
struct ProbeRun {
  ReceivedAccount received;
  std::string failure;     // why there is no account; "" when there is one
  bool is_killed = false;  // by another process, or the system
  int start_error = 0;     // errno, when it was not started
  pid_t process = -1;      // its number, as long as it was there
};

/// Starts the probe for one plugin, waits for its account, and leaves nothing behind. Changes
/// nothing in this process, and does not mind what it does with SIGCHLD.
/// Null: without `slot`, there is none that could be given to another while the plugin sleeps.
ProbeRun RunProbe(const std::string& program, const ProbeRequest& request, spawn::HeldSlot* slot) {
  ProbeRun run;
  std::optional<spawn::Pipe> pipe = spawn::MakePipe();
  if (!pipe) {
    run.start_error = errno;
    run.failure = std::string("no pipe could be made: ") + std::strerror(run.start_error);
    return run;
  }
  spawn::ChildProgram child{
      program, EncodeRequest(request), MakeEnvironment(request.sandbox), {pipe->write.Get()}};
  run.start_error = spawn::StartProgram(child, run.process);
  pipe->write = FileDescriptor();
  if (run.start_error != 0) {
    run.failure = std::strerror(run.start_error);
    return run;
  }
  const spawn::StartedProcess started(run.process);
  std::string received;
  // The time begins anew for each, when that of the one before it is up.
  const auto num_members =
      static_cast<std::int64_t>(request.libraries.size() + request.files.size());
  const std::string why_stopped =
      ReadAccount(pipe->read.Get(), started, Clock::now() + num_members * request.timeout + kGrace,
                  slot, received);
  if (!why_stopped.empty()) started.Kill();
  const std::optional<int> end = started.Reap();
  run.received = DecodeAccount(received);
  if (run.received.account) return run;
  run.failure = why_stopped;
  if (why_stopped.empty()) {
    run.failure = end ? "it " + spawn::DescribeStatus(end) : "it ended without an answer";
    run.is_killed = end && WIFSIGNALED(*end);
  }
  return run;
}

Diagnostic DescribeNoAccount(const std::string& path, const std::string& program,
                             const ProbeRun& run) {
  const bool is_started = run.start_error == 0;
  std::string why = "the process that checks backends, " + program + ", " +
                    (is_started ? "gave no account: " : "cannot be started: ") + run.failure;
  if (!run.received.version.empty()) {
    why +=
        "; it answered as \"" + run.received.version + "\", expected \"" + GetProtocolName() + '"';
  }
  const std::string noise =
      JoinLastLines(SplitLoaderTrace(run.received.noise, run.process).plugin_output, 3, 400);
  if (!noise.empty()) why += "; it wrote: \"" + noise + '"';
  if (!is_started) {
    return diagnostics::DescribeFile(DiagnosticCode::kProbeNotStarted, path,
                                     "was not checked, and not opened", std::move(why),
                                     AdviseOnStart(run.start_error, program));
  }
  return diagnostics::DescribeFile(
      DiagnosticCode::kProbeFailed, path, "was not checked to the end", std::move(why),
      (run.is_killed
           ? "scan again: nothing is kept of this check. Another process or the system, for "
             "lack of memory (dmesg), ended backplane-probe; if it comes back"
           : "install backplane-probe " BACKPLANE_VERSION
             " beside libbackplane-host.so; if that is what runs") +
          std::string(", the backend may have ended it: disable it with "
                      "BACKPLANE_DISABLE_BACKENDS=") +
          diagnostics::GetFileName(path));
}

/// Puts the change of a file before what became of its run, which was not of the file that was
/// inspected, or not to its end.
void BlameChange(const std::string& path, Candidate& candidate) {
  Diagnostic change = files::DescribeChange(path);
  change.causes = std::exchange(candidate.diagnostics, {});
  candidate.diagnostics.push_back(std::move(change));
}

Candidate MakeUnchecked(const std::string& path, Diagnostic reason) {
  Candidate candidate;
  candidate.path = path;
  candidate.status = CandidateStatus::kRejected;
  candidate.stage = Stage::kOpen;
  candidate.stages.push_back({Stage::kOpen, std::chrono::nanoseconds(0), true});
  candidate.diagnostics.push_back(std::move(reason));
  return candidate;
}

ProbeRequest MakeRequest(ProbeDepth depth, const ProbeSettings& settings) {
  ProbeRequest request;
  request.depth = depth;
  request.timeout = std::min(settings.timeout, kMaxTimeout);
  // Sanitizers, also those of LD_PRELOAD, reserve more memory than any limit allows.
  const bool has_sanitizer = backend::IsDefinedInProcess("__asan_init", "") ||
                             backend::IsDefinedInProcess("__tsan_init", "");
  request.max_data_bytes = has_sanitizer ? 0 : settings.max_data_bytes;
  request.host_process = getpid();
  return request;
}

const std::string& GetMemberPath(const ProbeRequest& request, std::size_t member) {
  const std::size_t num_libraries = request.libraries.size();
  return member < num_libraries ? request.libraries[member].path
                                : request.files[member - num_libraries].path;
}

ProbeVerdict Probe(const ProbeRequest& request, const std::optional<BackendVersion>& stated,
                   const ProbeSettings& settings, spawn::HeldSlot* slot) {
  const std::string program = FindProgram(settings, request.depth);
  ProbeRun run = RunProbe(program, request, slot);
  ProbeVerdict verdict;
  if (!run.received.account) {
    const std::string& path = request.files.front().path;
    verdict.candidate = MakeUnchecked(path, DescribeNoAccount(path, program, run));
    return verdict;
  }
  ProbeAccount& account = *run.received.account;
  CheckReport(request.depth, stated, account);
  account.is_sandboxed = request.sandbox.sandbox != Sandbox::kNone;
  // A plugin may have written over the number.
  const std::size_t num_members = request.libraries.size() + request.files.size();
  verdict.member = std::min<std::size_t>(account.member, num_members - 1);
  const std::string& path = GetMemberPath(request, verdict.member);
  verdict.candidate = ExplainAccount(account, path);
  verdict.is_run = account.end != ProcessEnd::kNotStarted;
  verdict.has_died = account.end != ProcessEnd::kExited;
  verdict.is_own_status =
      account.report && account.report->candidate.status == verdict.candidate.status;
  if (account.report) verdict.files = std::move(account.report->files);
  return verdict;
}

}  // namespace

std::string FindProgram(const ProbeSettings& settings, ProbeDepth depth) {
  const std::string probe = settings.program.empty()
                                ? backend::GetOwnDirectory() + '/' + BACKPLANE_PROBE_FROM_LIB
                                : settings.program;
  if (depth != ProbeDepth::kServe) return probe;
  return probe.substr(0, probe.find_last_of('/') + 1) + "backplane-worker";
}

ProbeVerdict ProbeFile(const files::CandidateFile& file, const std::string& path, ProbeDepth depth,
                       const std::optional<BackendVersion>& stated, const ProbeTerms& terms,
                       spawn::HeldSlot* slot) {
  ProbeRequest request = MakeRequest(depth, terms.settings);
  request.sandbox = terms.sandbox;
  request.files.push_back({path, file.canonical_path, files::MakeFileStamp(file.status)});
  ProbeVerdict verdict = Probe(request, stated, terms.settings, slot);
  if (verdict.has_died && !files::IsStillTheSame(file)) BlameChange(path, verdict.candidate);
  return verdict;
}

ProbeVerdict ProbeTogether(std::vector<ProgramLibrary> libraries, std::vector<PluginFile> files,
                           const ProbeSettings& settings) {
  ProbeRequest request = MakeRequest(ProbeDepth::kTogether, settings);
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / files.size();
  request.max_data_bytes = std::min(request.max_data_bytes, most) * files.size();
  request.libraries = std::move(libraries);
  request.files = std::move(files);
  return Probe(request, std::nullopt, settings, nullptr);
}

}  // namespace backplane::probing
