#include "running/watched_child.hpp"

#include "spawn/child_program.hpp"
#include "spawn/descendants.hpp"
#include "spawn/ends.hpp"
#include "spawn/output_tail.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace backplane::check_backend {
namespace {

using spawn::GetSignalName;

constexpr std::size_t kMaxOutput = 2000;

[[noreturn]] void ThrowLastError(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void Redirect(int writer) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(writer, STDOUT_FILENO);
  dup2(writer, STDERR_FILENO);
}

[[noreturn]] void Work(const std::function<void()>& work, const ChildLimits& limits, pid_t parent,
                       int writer) {
  spawn::EndWithParent(parent);
  Redirect(writer);
  spawn::BoundChild(limits.max_data_bytes);
  work();
  std::fflush(nullptr);
  _exit(0);
}

/// The work, and what has lost its parent. Whoever keeps them then ends all that is left.
void KillChildren(pid_t process) {
  for (const pid_t child : spawn::ListChildren(process)) kill(child, SIGKILL);
}

/// The process that code of the backend can find as its parent.
[[noreturn]] void Keep(const std::function<void()>& work, const ChildLimits& limits, pid_t parent,
                       int writer, SharedRecord& record) {
  spawn::EndWithParent(parent);
  setpgid(0, 0);  // to be ended together with all that the work starts
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t self = getpid();
  const pid_t worker = fork();
  if (worker == 0) Work(work, limits, self, writer);
  if (worker < 0) _exit(1);
  record.end_status.store(spawn::WaitForChild(worker));
  record.is_end_known.store(1);
  spawn::EndDescendants(worker);
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
bool WaitForEnd(int process, spawn::OutputTail& output, const ChildLimits& limits,
                const SharedRecord& record, const std::function<void()>& while_running) {
  using Clock = std::chrono::steady_clock;
  std::uint64_t num_signs = record.num_signs.load();
  Clock::time_point last_sign = Clock::now();
  for (;;) {
    pollfd events[2] = {{process, POLLIN, 0}, {output.GetDescriptor(), POLLIN, 0}};
    const int count = poll(events, 2, 200);
    if (count < 0 && errno != EINTR) ThrowLastError("waiting for a backend");
    output.Drain();
    if ((events[0].revents & POLLIN) != 0) return true;
    while_running();
    const std::uint64_t signs = record.num_signs.load();
    if (signs != num_signs) last_sign = Clock::now();
    num_signs = signs;
    if (Clock::now() - last_sign > limits.timeout) return false;
  }
}

}  // namespace

ChildEnd RunChild(const std::function<void()>& work, const ChildLimits& limits,
                  SharedRecord& record, const std::function<void()>& while_running) {
  record.is_end_known.store(0);
  record.has_finished.store(0);
  record.fault.Set("");
  auto pipe = spawn::MakePipe();
  if (!pipe) ThrowLastError("a pipe for a backend");
  fcntl(pipe->read.Get(), F_SETFL, O_NONBLOCK);
  std::fflush(nullptr);  // else what is not written yet would be written twice
  const pid_t parent = getpid();
  const pid_t keeper = fork();
  if (keeper < 0) ThrowLastError("a process for a backend");
  if (keeper == 0) Keep(work, limits, parent, pipe->write.Get(), record);
  pipe->write = wire::FileDescriptor();
  spawn::OutputTail output(std::move(pipe->read));
  const int process = OpenProcess(keeper);
  ChildEnd end;
  const bool has_ended = WaitForEnd(process, output, limits, record, while_running);
  if (!has_ended) {
    KillChildren(keeper);
    constexpr int kPatienceMs = 2000;
    pollfd ended{process, POLLIN, 0};
    poll(&ended, 1, kPatienceMs);
  }
  kill(-keeper, SIGKILL);
  kill(keeper, SIGKILL);
  const int status = spawn::WaitForChild(keeper);
  close(process);
  output.Drain();
  const std::string& written = output.GetEnd();
  end.output = written.substr(written.size() - std::min(written.size(), kMaxOutput));
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
