#include <backplane/host/probe_program.hpp>

#include "diagnostics/control_group.hpp"
#include "probing/loader_trace.hpp"
#include "probing/plugin_process.hpp"
#include "probing/probe_account.hpp"
#include "probing/shared_report.hpp"
#include "spawn/child_program.hpp"
#include "spawn/ends.hpp"
#include "spawn/output_tail.hpp"
#include "spawn/status_file.hpp"
#include "spawn/watcher_signals.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace backplane::probing {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMaxLastLines = 6;
constexpr std::size_t kMaxLastBytes = 600;

/// Writes what the plugin printed, for the host's log; what does not fit at once is lost.
void PassOutputOn(char stream, std::string_view bytes) {
  constexpr std::size_t kMostBytes = 4000;  // with what stands before them, written as one
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMostBytes))) {
    const std::string_view part = bytes.substr(0, kMostBytes);
    std::string framed(1, stream);
    const auto size_bytes = static_cast<std::uint16_t>(part.size());
    framed.append(reinterpret_cast<const char*>(&size_bytes), sizeof(size_bytes)).append(part);
    if (write(kServeOutput, framed.data(), framed.size()) < 0) return;
  }
}

/// -1: it is not known.
int ReadSeccompMode(const std::string& process) {
  const std::string mode = spawn::ReadStatusLine(process, "Seccomp");
  return mode.empty() ? -1 : std::atoi(mode.c_str());
}

/// The kernel marks a process that was forked until it runs another program.
bool HasCalledExec(pid_t process) {
  constexpr unsigned long kForkedOnly = 0x40;
  constexpr int kFlagsBehindName = 6;
  std::istringstream stat(spawn::ReadStatBehindName(process));
  std::string word;
  for (int i = 0; i < kFlagsBehindName; ++i) stat >> word;
  unsigned long flags = kForkedOnly;
  stat >> flags;
  return stat && (flags & kForkedOnly) == 0;
}

/// How many processes of this one's control group the kernel has killed for lack of memory; -1: not
/// known.
std::int64_t CountOomKills() {
  constexpr std::string_view kName = "oom_kill ";
  std::ifstream file(diagnostics::FindGroupFile("memory", "memory.oom_control", "memory.events"));
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(kName, 0) == 0) return std::atoll(line.c_str() + kName.size());
  }
  return -1;
}

/// Collects what the kernel still tells of a process that has ended and was not waited for yet.
/// `oom_kills` were counted before it began.
EndEvidence CollectEndEvidence(pid_t process, std::int64_t oom_kills) {
  EndEvidence evidence;
  evidence.seccomp_mode = ReadSeccompMode(std::to_string(process));
  evidence.watcher_seccomp_mode = ReadSeccompMode("self");
  evidence.has_called_exec = HasCalledExec(process);
  rlimit limit{};
  if (prlimit(process, RLIMIT_CPU, nullptr, &limit) == 0 && limit.rlim_max != RLIM_INFINITY) {
    evidence.cpu_limit_s = static_cast<std::int64_t>(limit.rlim_max);
  }
  const std::int64_t oom_kills_now = CountOomKills();
  if (oom_kills >= 0 && oom_kills_now >= oom_kills) {
    evidence.num_oom_kills = oom_kills_now - oom_kills;
  }
  return evidence;
}

/// One plugin's process, from its start to its end.
class Watch {
 public:
  Watch(const ProbeRequest& request, SharedReport& report, spawn::WatcherSignals& signals)
      : request_(request), report_(report), signals_(signals) {}

  ProbeAccount Run() {
    std::optional<spawn::Pipe> out = spawn::MakePipe();
    std::optional<spawn::Pipe> error = spawn::MakePipe();
    const pid_t supervisor = getpid();
    oom_kills_ = CountOomKills();
    if (out && error) plugin_ = fork();
    if (plugin_ == 0) {
      BecomePlugin(request_, report_, supervisor, out->write.Get(), error->write.Get());
    }
    if (plugin_ < 0) {
      account_.start_error = errno;
      return account_;
    }
    for (spawn::Pipe* const pipe : {&*out, &*error}) {
      pipe->write = wire::FileDescriptor();
      fcntl(pipe->read.Get(), F_SETFL, O_NONBLOCK);
    }
    out_.emplace(std::move(out->read));
    error_.emplace(std::move(error->read),
                   [this](std::string_view dropped) { NoteConstructor(dropped); });
    if (request_.depth == ProbeDepth::kServe) {
      // They end with the plugin's process, so that the host sees when that ends.
      close(kServeCalls);
      close(kServeNotices);
      out_->PassOn([](std::string_view bytes) { PassOutputOn('o', bytes); });
      error_->PassOn([](std::string_view bytes) { PassOutputOn('e', bytes); });
    }
    Wait(request_.timeout);
    account_.num_processes_left = spawn::EndDescendants(plugin_);
    out_->Drain();
    error_->Drain();
    WriteAccount();
    if (HasDiedInLoader()) AskWhatIsNeeded();
    return std::move(account_);
  }

 private:
  /// Waits for the end of the process, the time of the one whose turn it is, or that of the host.
  void Wait(std::chrono::milliseconds timeout) {
    spawn::ChildWatch watch;
    watch.process = plugin_;
    watch.outputs = {&*out_, &*error_};
    watch.timeout = timeout;
    watch.count_signs = [this] { return report_.member.load(); };
    watch.is_to_stop = [this] { return TakeSignals(); };
    watch.descriptor = signals_.GetDescriptor();
    const spawn::Watched watched = spawn::WatchChild(watch);
    if (watched.end == spawn::WatchEnd::kEnded) return TakeEnd();
    const bool is_stopped = watched.end == spawn::WatchEnd::kStopped;
    const bool is_silent = watched.end == spawn::WatchEnd::kSilent;
    End(is_stopped  ? ProcessEnd::kStopped
        : is_silent ? ProcessEnd::kTimedOut
                    : ProcessEnd::kInterrupted);
    if (!is_silent) account_.signal = is_stopped ? watched.stop_signal : SIGTERM;
    if (!is_stopped) account_.sender = signals_.GetSender();
  }

  /// True: the host is gone, or somebody has this process end.
  bool TakeSignals() {
    signals_.Take(plugin_, static_cast<pid_t>(request_.host_process));
    return signals_.IsToStop();
  }

  /// Ends the process, for this reason.
  void End(ProcessEnd reason) {
    kill(plugin_, SIGKILL);
    TakeEnd();
    account_.end = reason;
  }

  /// Waits for a process that has ended, or will at once.
  void TakeEnd() {
    siginfo_t info{};
    while (waitid(P_PID, static_cast<id_t>(plugin_), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    account_.evidence = CollectEndEvidence(plugin_, oom_kills_);
    int status = 0;
    rusage usage{};
    while (wait4(plugin_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    account_.end = WIFSIGNALED(status) ? ProcessEnd::kSignalled : ProcessEnd::kExited;
    account_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    account_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    account_.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    account_.evidence.used_cpu_s = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1;
  }

  /// Before any constructor ran, only the loader read the files.
  bool HasDiedInLoader() const {
    const bool is_fault = account_.signal == SIGBUS || account_.signal == SIGSEGV;
    return request_.depth != ProbeDepth::kTogether && account_.end == ProcessEnd::kSignalled &&
           is_fault && account_.stage == Stage::kOpen && account_.call.empty() &&
           (account_.constructor_of.empty() || account_.signal == SIGBUS);
  }

  /// In a process of its own again.
  void AskWhatIsNeeded() {
    constexpr std::chrono::seconds kEnough{5};
    const ProbeAccount account = std::exchange(account_, {});
    const pid_t supervisor = getpid();
    plugin_ = fork();
    if (plugin_ == 0) InspectAfterDeath(request_, report_, supervisor);
    if (plugin_ > 0) Wait(kEnough);
    account_ = account;
    account_.report_bytes = report_.body_bytes.load();
    account_.is_inspected = account_.report_bytes != 0;
  }

  /// Notes the constructor that was named last: its line may be long gone when the process dies.
  std::string NoteConstructor(std::string_view output) {
    LoaderTrace trace = SplitLoaderTrace(output, plugin_);
    if (trace.constructor_of) account_.constructor_of = std::move(*trace.constructor_of);
    return std::move(trace.plugin_output);
  }

  /// A question to another thread has nothing to do with the end of this one.
  std::string ReadCall() const {
    const std::string call = report_.call.Get();
    const std::uint32_t dead = report_.dead_thread.load();
    if (call.empty() || dead == 0 || dead == report_.call_thread.load()) return call;
    return request_.depth == ProbeDepth::kServe ? SharedReport::kBesides
                                                : "a thread of the backend during " + call;
  }

  void WriteAccount() {
    const std::uint32_t stage = report_.stage.load();
    if (stage <= static_cast<std::uint32_t>(Stage::kCreate)) {
      account_.stage = static_cast<Stage>(stage);
    }
    TakeSignals();
    account_.signal_to_watcher = signals_.GetSignalOfPlugin();
    account_.member = report_.member.load();
    account_.call = ReadCall();
    account_.thrown = report_.thrown.Get();
    account_.has_fault = report_.has_fault.load() != 0;
    account_.fault_address = report_.fault_address;
    account_.is_stack_overflow = report_.is_stack_overflow != 0;
    account_.report_bytes = report_.body_bytes.load();
    account_.is_closed = report_.is_closed.load() != 0;
    account_.is_ended = report_.is_ended.load() != 0;
    account_.has_copy = report_.has_copy.load() != 0;
    const std::string plugin_output = NoteConstructor(error_->GetEnd());
    account_.stderr_end = JoinLastLines(plugin_output, kMaxLastLines, kMaxLastBytes);
    account_.stdout_bytes = out_->GetNumBytes();
    account_.stdout_start = out_->GetStart().substr(0, out_->GetStart().find('\n'));
    account_.max_data_bytes = request_.max_data_bytes;
    account_.timeout_ms = request_.timeout.count();
  }

  const ProbeRequest& request_;
  SharedReport& report_;
  spawn::WatcherSignals& signals_;
  std::int64_t oom_kills_ = -1;
  pid_t plugin_ = -1;
  std::optional<spawn::OutputTail> out_;
  std::optional<spawn::OutputTail> error_;
  ProbeAccount account_;
};

constexpr int kPipe = 3;
constexpr int kExitUsage = 64;

/// Silences this process: the words of the loader and of the plugin are collected elsewhere.
void SilenceErrors() {
  const wire::FileDescriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nowhere.IsOpen()) dup2(nowhere.Get(), STDERR_FILENO);
}

/// Runs a plugin in a process of its own, watches it, ends it and all that it started, and writes
/// the account into the pipe. This process becomes the reaper of its descendants and ends when its
/// host does. Returns its exit code.
int Supervise(const ProbeRequest& request) {
  constexpr int kExitFailed = 1;
  spawn::WatcherSignals signals;
  spawn::EndWithParent(static_cast<pid_t>(request.host_process), SIGTERM);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  auto* const report = spawn::MapShared<SharedReport>();
  if (report == nullptr) return kExitFailed;
  const ProbeAccount account = Watch(request, *report, signals).Run();
  const bool has_fitted = account.report_bytes <= SharedReport::kMaxBodyBytes;
  const std::size_t body_bytes = has_fitted ? account.report_bytes : 0;
  const std::string framed = EncodeAccount(account, {report->body, body_bytes});
  return wire::WriteAll(kPipe, framed) ? 0 : kExitFailed;
}

}  // namespace
}  // namespace backplane::probing

namespace backplane {

int RunProbeProgram(int argc, const char* const* argv) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto request = probing::DecodeRequest(arguments);
  if (!request || fcntl(probing::kPipe, F_GETFD) < 0) {
    std::fprintf(stderr,
                 "backplane-probe %s, protocol-%d, cannot do what it was asked for%s%s\n"
                 "It is started by libbackplane-host of its own version; to check a backend, run "
                 "list-backends.\n",
                 BACKPLANE_VERSION, probing::kProtocolVersion,
                 arguments.empty() ? "" : ", which begins with ",
                 arguments.empty() ? "" : arguments.front().c_str());
    return probing::kExitUsage;
  }
  // The loader has read it; what the plugin starts should not.
  unsetenv("LD_DEBUG");
  probing::SilenceErrors();
  for (int descriptor = probing::kPipe; descriptor <= probing::kServeOutput; ++descriptor) {
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
  fcntl(probing::kServeOutput, F_SETFL, O_NONBLOCK);
  return probing::Supervise(*request);
}

}  // namespace backplane
