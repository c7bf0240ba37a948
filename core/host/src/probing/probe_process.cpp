#include "probing/probe_process.hpp"

#include "discovery/file_descriptor.hpp"
#include "probing/sleep_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace backplane::probing {
namespace {

using Clock = std::chrono::steady_clock;
using discovery::FileDescriptor;

constexpr int kPipeInProbe = 3;
// The probe ends what it watches by itself; this is for one that cannot.
constexpr std::chrono::seconds kGrace{10};
constexpr std::size_t kMaxReceivedBytes = std::size_t{8} << 20U;

/// A pipe whose ends are none of the numbers that the probe gives a meaning, whatever this process
/// has closed.
struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

FileDescriptor MoveUp(FileDescriptor descriptor) {
  if (descriptor.Get() > kPipeInProbe) return descriptor;
  return FileDescriptor(fcntl(descriptor.Get(), F_DUPFD_CLOEXEC, kPipeInProbe + 1));
}

std::optional<Pipe> MakePipe() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  Pipe pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  pipe.read = MoveUp(std::move(pipe.read));
  pipe.write = MoveUp(std::move(pipe.write));
  if (!pipe.read.IsOpen() || !pipe.write.IsOpen()) return std::nullopt;
  return pipe;
}

/// The attributes and file actions of posix_spawn, with their ends.
class SpawnSettings {
 public:
  explicit SpawnSettings(int pipe) {
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_init(&actions_);
    sigset_t none;
    sigemptyset(&none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    // What keeps it from starting is said there.
    posix_spawn_file_actions_adddup2(&actions_, pipe, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, pipe, kPipeInProbe);
    posix_spawn_file_actions_addclosefrom_np(&actions_, kPipeInProbe + 1);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawnattr_t* GetAttributes() const { return &attributes_; }
  const posix_spawn_file_actions_t* GetActions() const { return &actions_; }

 private:
  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t actions_{};
};

/// Strings as posix_spawn wants them.
std::vector<char*> MakePointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// This process's environment, and that the loader tells which constructors it runs.
std::vector<std::string> MakeEnvironment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "LD_DEBUG", std::strlen("LD_DEBUG")) != 0) {
      variables.emplace_back(*variable);
    }
  }
  variables.emplace_back("LD_DEBUG=libs");
  return variables;
}

/// Returns errno, or 0.
int Spawn(const std::string& program, const ProbeRequest& request, int pipe, pid_t& process) {
  std::vector<std::string> arguments = EncodeRequest(request);
  arguments.insert(arguments.begin(), program);
  std::vector<std::string> environment = MakeEnvironment();
  const SpawnSettings settings(pipe);
  return posix_spawn(&process, program.c_str(), settings.GetActions(), settings.GetAttributes(),
                     MakePointers(arguments).data(), MakePointers(environment).data());
}

/// Waits in steps, and gives the place of a process that sleeps to another meanwhile.
class Patience {
 public:
  /// Null: without `place`, there is none to give.
  Patience(pid_t process, HeldPlace* place) : watch_(process), place_(place) {}

  int GetMilliseconds(std::int64_t left_ms) const {
    constexpr std::int64_t kStepMs = 25;
    constexpr std::int64_t kLongStepMs = 100;
    constexpr std::int64_t kLongestMs = 1'000'000;  // poll takes an int
    if (place_ == nullptr) return static_cast<int>(std::min(left_ms, kLongestMs));
    return static_cast<int>(std::min(left_ms, is_asleep_ ? kLongStepMs : kStepMs));
  }
  void Look() {
    if (place_ == nullptr) return;
    is_asleep_ = watch_.IsAsleep();
    place_->SetAsleep(is_asleep_);
  }

 private:
  bool is_asleep_ = false;
  SleepWatch watch_;
  HeldPlace* place_;
};

/// Reads the account. Another process of the host may have the other end open too, when it was
/// forked at the wrong moment, so the account's own end is looked for.
/// Returns why reading stopped before it or the pipe's end; "": it did not.
std::string ReadAccount(int pipe, Clock::time_point deadline, Patience& patience,
                        std::string& received) {
  char buffer[16384];
  while (received.size() < kMaxReceivedBytes) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd event{pipe, POLLIN, 0};
    if (left <= 0) return "it did not answer in time and was ended";
    const int num_ready = poll(&event, 1, patience.GetMilliseconds(left));
    if (num_ready < 0 && errno != EINTR) return "its answer cannot be waited for";
    if (num_ready == 0) patience.Look();
    if (num_ready <= 0) continue;
    const ssize_t bytes = read(pipe, buffer, sizeof(buffer));
    if (bytes > 0) received.append(buffer, static_cast<std::size_t>(bytes));
    if (bytes == 0 || IsWholeAccount(received)) return "";
    if (bytes < 0 && errno != EINTR) return "its answer cannot be read";
  }
  return "it wrote more than any answer has and was ended";
}

/// The process that was started. Where the system reaps children, because the host ignores SIGCHLD,
/// or another thread does, its number may be another process's by the time it is used; a descriptor
/// of it, which Linux has since 5.3, is of no other.
class StartedProcess {
 public:
  explicit StartedProcess(pid_t process)
      : process_(process), descriptor_(static_cast<int>(syscall(SYS_pidfd_open, process, 0))) {
    is_gone_ = !descriptor_.IsOpen() && errno == ESRCH;
  }

  void Kill() const {
    if (descriptor_.IsOpen()) {
      syscall(SYS_pidfd_send_signal, descriptor_.Get(), SIGKILL, nullptr, 0);
    } else if (IsChild()) {
      kill(process_, SIGKILL);
    }
  }

  /// Waits for it; says how it ended, or "" when the host has its own way with children.
  std::string Reap() const {
    siginfo_t end{};
    if (is_gone_ || !Wait(WEXITED, end)) return "";
    if (end.si_code != CLD_EXITED) return "it was ended by signal " + std::to_string(end.si_status);
    return "it ended with exit code " + std::to_string(end.si_status);
  }

 private:
  /// Running, or not reaped yet: then its number is its own.
  bool IsChild() const {
    siginfo_t end{};
    return !is_gone_ && Wait(WEXITED | WNOHANG | WNOWAIT, end);
  }

  bool Wait(int options, siginfo_t& end) const {
    const bool has_descriptor = descriptor_.IsOpen();
    const idtype_t type = has_descriptor ? P_PIDFD : P_PID;
    const id_t id = static_cast<id_t>(has_descriptor ? descriptor_.Get() : process_);
    int result = -1;
    do {
      result = waitid(type, id, &end, options);
    } while (result != 0 && errno == EINTR);
    // Linux 5.3 has descriptors of processes and cannot wait for them.
    if (result != 0 && errno == EINVAL && has_descriptor) {
      result = waitid(P_PID, static_cast<id_t>(process_), &end, options);
    }
    return result == 0;
  }

  pid_t process_;
  FileDescriptor descriptor_;
  bool is_gone_ = false;
};

}  // namespace

ProbeRun RunProbe(const std::string& program, const ProbeRequest& request, HeldPlace* place) {
  ProbeRun run;
  std::optional<Pipe> pipe = MakePipe();
  if (!pipe) {
    run.start_error = errno;
    run.failure = std::string("no pipe could be made: ") + std::strerror(run.start_error);
    return run;
  }
  pid_t process = -1;
  const int error = Spawn(program, request, pipe->write.Get(), process);
  pipe->write = FileDescriptor();
  if (error != 0) {
    run.start_error = error;
    run.failure = std::strerror(error);
    return run;
  }
  const StartedProcess started(process);
  run.is_started = true;
  run.process = process;
  std::string received;
  Patience patience(process, place);
  // The time begins anew for each, when that of the one before it is up.
  const auto num_members =
      static_cast<std::int64_t>(request.libraries.size() + request.files.size());
  const std::string why_stopped = ReadAccount(
      pipe->read.Get(), Clock::now() + num_members * request.timeout + kGrace, patience, received);
  if (!why_stopped.empty()) started.Kill();
  const std::string end = started.Reap();
  run.received = DecodeAccount(received);
  if (run.received.account) return run;
  run.failure = why_stopped.empty() ? end : why_stopped;
  if (run.failure.empty()) run.failure = "it ended without an answer";
  return run;
}

}  // namespace backplane::probing
