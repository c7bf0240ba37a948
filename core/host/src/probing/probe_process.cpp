#include "probing/probe_process.hpp"

#include "sandbox/worker_environment.hpp"
#include "spawn/child_program.hpp"
#include "spawn/ends.hpp"
#include "spawn/sleep_watch.hpp"

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

/// Waits in steps, and gives the place of a process that sleeps to another meanwhile.
class Patience {
 public:
  /// Null: without `place`, there is none to give.
  Patience(pid_t process, spawn::HeldSlot* place) : watch_(process), place_(place) {}

  int GetMilliseconds(std::int64_t left_ms) const {
    constexpr std::int64_t kStepMs = 25;
    constexpr std::int64_t kLongStepMs = 100;
    const bool is_hurried = place_ != nullptr && !is_asleep_;
    return static_cast<int>(std::min(left_ms, is_hurried ? kStepMs : kLongStepMs));
  }
  void Look() {
    if (place_ == nullptr) return;
    is_asleep_ = watch_.IsAsleep();
    place_->SetAsleep(is_asleep_);
  }

 private:
  bool is_asleep_ = false;
  spawn::SleepWatch watch_;
  spawn::HeldSlot* place_;
};

/// Reads the account. Another process of the host may have the other end open too, when it was
/// forked at the wrong moment, and write there: so the account's own end is looked for, and once
/// the probe has ended nothing is waited for.
/// Returns why reading stopped before it or the pipe's end; "": it did not.
std::string ReadAccount(int pipe, const spawn::StartedProcess& probe, Clock::time_point deadline,
                        Patience& patience, std::string& received) {
  char buffer[16384];
  while (received.size() < kMaxReceivedBytes) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd event{pipe, POLLIN, 0};
    if (left <= 0) return "it did not answer in time and was ended";
    const bool has_ended = probe.HasEnded();  // before its last words are looked for
    const int num_ready = poll(&event, 1, has_ended ? 0 : patience.GetMilliseconds(left));
    if (num_ready < 0 && errno != EINTR) return "its answer cannot be waited for";
    if (num_ready == 0 && has_ended) return "";
    if (num_ready == 0) patience.Look();
    if (num_ready <= 0) continue;
    const ssize_t bytes = read(pipe, buffer, sizeof(buffer));
    if (bytes > 0) received.append(buffer, static_cast<std::size_t>(bytes));
    if (bytes == 0 || IsWholeAccount(received, sizeof(buffer))) return "";
    if (bytes < 0 && errno != EINTR) return "its answer cannot be read";
  }
  return "it wrote more than any answer has and was ended";
}

}  // namespace

ProbeRun RunProbe(const std::string& program, const ProbeRequest& request, spawn::HeldSlot* place) {
  ProbeRun run;
  std::optional<spawn::Pipe> pipe = spawn::MakePipe();
  if (!pipe) {
    run.start_error = errno;
    run.failure = std::string("no pipe could be made: ") + std::strerror(run.start_error);
    return run;
  }
  spawn::ChildProgram child{
      program, EncodeRequest(request), MakeEnvironment(request.sandbox), {pipe->write.Get()}};
  pid_t process = -1;
  const int error = spawn::StartProgram(child, process);
  pipe->write = FileDescriptor();
  if (error != 0) {
    run.start_error = error;
    run.failure = std::strerror(error);
    return run;
  }
  const spawn::StartedProcess started(process);
  run.is_started = true;
  run.process = process;
  std::string received;
  Patience patience(process, place);
  // The time begins anew for each, when that of the one before it is up.
  const auto num_members =
      static_cast<std::int64_t>(request.libraries.size() + request.files.size());
  const std::string why_stopped =
      ReadAccount(pipe->read.Get(), started, Clock::now() + num_members * request.timeout + kGrace,
                  patience, received);
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

}  // namespace backplane::probing
