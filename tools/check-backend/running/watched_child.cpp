#include "running/watched_child.hpp"

#include "command_line/signal_name.hpp"
#include "harness/pipe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace backplane::check_backend {
namespace {

using command_line::GetSignalName;

constexpr std::size_t kMaxOutput = 2000;

[[noreturn]] void ThrowLastError(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Keeps the end of what comes. False: nothing more will.
bool ReadSome(int reader, std::string& output) {
  char bytes[4096];
  const ssize_t count = read(reader, bytes, sizeof(bytes));
  if (count <= 0) return count < 0 && (errno == EINTR || errno == EAGAIN);
  output.append(bytes, static_cast<std::size_t>(count));
  if (output.size() > 2 * kMaxOutput) output.erase(0, output.size() - kMaxOutput);
  return true;
}

void FollowParent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

void SetLimits(const ChildLimits& limits) {
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (limits.max_data_bytes == 0) return;
  const rlimit data = {limits.max_data_bytes, limits.max_data_bytes};
  setrlimit(RLIMIT_DATA, &data);
}

void Redirect(int writer) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(writer, STDOUT_FILENO);
  dup2(writer, STDERR_FILENO);
}

[[noreturn]] void Work(const std::function<void()>& work, const ChildLimits& limits, pid_t parent,
                       int writer) {
  FollowParent(parent);
  Redirect(writer);
  SetLimits(limits);
  work();
  std::fflush(nullptr);
  _exit(0);
}

/// Also those that a backend made with a session of their own, once their parents have ended.
void KillChildren(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  for (pid_t child = 0; children >> child;) kill(child, SIGKILL);
}

/// The process that code of the backend can find as its parent.
[[noreturn]] void Keep(const std::function<void()>& work, const ChildLimits& limits, pid_t parent,
                       int writer, SharedRecord& record) {
  FollowParent(parent);
  setpgid(0, 0);  // to be ended together with all that the work starts
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t self = getpid();
  const pid_t worker = fork();
  if (worker == 0) Work(work, limits, self, writer);
  if (worker < 0) _exit(1);
  int status = 0;
  while (waitpid(worker, &status, 0) < 0 && errno == EINTR) {
  }
  record.end_status.store(status);
  record.is_end_known.store(1);
  KillChildren(self);
  _exit(0);
}

std::string DescribeEnd(int keeper_status, const SharedRecord& record) {
  if (record.is_end_known.load() == 0) {
    if (!WIFSIGNALED(keeper_status)) return "no process could be made for it";
    return "ended the process that had started it, by " + GetSignalName(WTERMSIG(keeper_status));
  }
  const int status = record.end_status.load();
  if (WIFSIGNALED(status)) return "ended the process, by " + GetSignalName(WTERMSIG(status));
  return "ended the process with exit code " + std::to_string(WEXITSTATUS(status)) +
         ", by exit or _exit";
}

/// Gives the descriptor of a process that becomes readable when it ends.
int OpenProcess(pid_t process) {
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

/// Waits for the end. False: there was no sign of life for too long.
bool WaitForEnd(int process, int reader, const ChildLimits& limits, const SharedRecord& record,
                const std::function<void()>& while_running, std::string& output) {
  using Clock = std::chrono::steady_clock;
  std::uint64_t num_signs = record.num_signs.load();
  Clock::time_point last_sign = Clock::now();
  bool is_open = true;
  for (;;) {
    pollfd events[2] = {{process, POLLIN, 0}, {is_open ? reader : -1, POLLIN, 0}};
    const int count = poll(events, 2, 200);
    if (count < 0 && errno != EINTR) ThrowLastError("waiting for a backend");
    if ((events[1].revents & (POLLIN | POLLHUP)) != 0) is_open = ReadSome(reader, output);
    if ((events[0].revents & POLLIN) != 0) return true;
    while_running();
    const std::uint64_t signs = record.num_signs.load();
    if (signs != num_signs) last_sign = Clock::now();
    num_signs = signs;
    if (Clock::now() - last_sign > limits.timeout) return false;
  }
}

void DrainOutput(int reader, std::string& output) {
  fcntl(reader, F_SETFL, O_NONBLOCK);
  char bytes[4096];
  for (int i = 0; i < 64; ++i) {  // somebody who lives on may write without end
    const ssize_t count = read(reader, bytes, sizeof(bytes));
    if (count <= 0) break;
    output.append(bytes, static_cast<std::size_t>(count));
  }
  if (output.size() > kMaxOutput) output.erase(0, output.size() - kMaxOutput);
}

}  // namespace

ChildEnd RunChild(const std::function<void()>& work, const ChildLimits& limits,
                  SharedRecord& record, const std::function<void()>& while_running) {
  record.is_end_known.store(0);
  record.has_finished.store(0);
  record.fault.Set("");
  Pipe output;
  std::fflush(nullptr);  // else what is not written yet would be written twice
  const pid_t parent = getpid();
  const pid_t keeper = fork();
  if (keeper < 0) ThrowLastError("a process for a backend");
  if (keeper == 0) Keep(work, limits, parent, output.GetWriter(), record);
  output.CloseWriter();
  const int process = OpenProcess(keeper);
  ChildEnd end;
  const bool has_ended =
      WaitForEnd(process, output.GetReader(), limits, record, while_running, end.output);
  if (!has_ended) KillChildren(keeper);
  kill(-keeper, SIGKILL);
  kill(keeper, SIGKILL);
  int status = 0;
  while (waitpid(keeper, &status, 0) < 0 && errno == EINTR) {
  }
  close(process);
  DrainOutput(output.GetReader(), end.output);
  if (!has_ended) {
    end.outcome = ChildOutcome::kHung;
    end.how = "did not come back for " + std::to_string(limits.timeout.count() / 1000) + " s";
  } else if (record.has_finished.load() == 0) {
    end.outcome = ChildOutcome::kDied;
    end.how = DescribeEnd(status, record);
  }
  return end;
}

}  // namespace backplane::check_backend
