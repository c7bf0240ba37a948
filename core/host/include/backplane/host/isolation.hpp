#pragma once

/// Backends that run in processes of their own.

#include <backplane/api/i_workload.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/export.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// Where a backend runs.
enum class Isolation {
  kInProcess,  // in the process of the application
  kProcess,    // in one of its own, which can die alone
};

/// What the processes of backends may do besides computing; docs/isolation.md has the tables.
enum class Sandbox {
  kNone,            // what the user may do, but no new privileges
  kWhereSupported,  // as kRequired, as far as the kernel goes; a warning tells what it lacks
  kRequired,  // what computing takes, and no more; where that cannot be had, nothing is started
};

/// What holds for the permissions that a backend's manifest asks for.
enum class SandboxPermissions {
  kGranted,  // they widen its sandbox; a note in the report tells which
  kRefused,  // it gets none of them
};

/// Where the backends run that a name means. Of several rules that fit, the last one holds.
struct IsolationRule {
  std::string backend;  // a backend id, or a glob of ids or of file names
  Isolation isolation = Isolation::kProcess;
};

/// What is common to all processes of backends of a runtime.
struct IsolationSettings {
  std::vector<IsolationRule> rules;
  /// After this many deaths within `deaths_period`, a backend is not started again.
  std::uint32_t max_deaths = 5;
  std::chrono::milliseconds deaths_period{60'000};
  /// For the answer to anything but a run; none waits longer. Compiling may take long.
  std::chrono::milliseconds call_timeout{600'000};
  /// Of heap, stacks and other private memory that can be written (RLIMIT_DATA). Tensors, which are
  /// shared, and what a backend shares itself are not counted. 0: no limit.
  std::uint64_t max_data_bytes = 0;
  /// The numbers of those on which one runs, as in /proc/cpuinfo. Empty: those of the application.
  std::vector<std::uint32_t> processors = {};
  /// Files and sockets that one may have open at once (RLIMIT_NOFILE). 0: as the application.
  std::uint32_t max_open_files = 0;
  Sandbox sandbox = Sandbox::kNone;
  SandboxPermissions permissions = SandboxPermissions::kGranted;
  /// Names of variables that one sees besides those of docs/isolation.md; "ACME_*" means all that
  /// begin so.
  std::vector<std::string> environment = {};
};

/// What came of the work that was handed to a process.
struct FinishedWork {
  Status status = Status::kSuccess;
  const IWorkload* workload = nullptr;  // the first that failed; null: it is not known which
  std::unique_ptr<Diagnostic> failure;  // what was thrown, or how the process ended
};

/// Bounds how long work that was handed to a process is waited for.
class WorkLimit {
 public:
  virtual ~WorkLimit() = default;

  /// How long one may wait before asking again; at least 0. [one at a time]
  virtual std::chrono::nanoseconds GetWait() noexcept = 0;
  /// Whether the work is to end now. Once it is, it stays so. [one at a time]
  virtual bool IsReached() noexcept = 0;
  /// Why it ends, when it has to be ended with its process; completes "was ended because".
  /// [one at a time]
  virtual const char* GetReason() const noexcept = 0;

  /// The word that is not 0 when the work has been cancelled, for backends; stays as long as this.
  /// Null: it cannot be. [any thread]
  virtual const std::uint32_t* GetStopWord() const noexcept { return nullptr; }
  /// When the work is to end, in nanoseconds of CLOCK_MONOTONIC. 0: never. [any thread]
  virtual std::uint64_t GetDeadlineNs() const noexcept { return 0; }
};

/// Bounds what the calling thread does for a run, until this goes: planning, and waiting for
/// processes of backends that start or do something else. Both end with a DiagnosticException with
/// kRunTimedOut. Borrows the limit. Null: it takes as long as it takes. Since: 0.1
class BACKPLANE_HOST_API WorkLimitScope {
 public:
  explicit WorkLimitScope(WorkLimit* limit) noexcept;
  ~WorkLimitScope();
  WorkLimitScope(const WorkLimitScope&) = delete;
  WorkLimitScope& operator=(const WorkLimitScope&) = delete;

  /// The limit of the calling thread. Null: there is none. [any thread]
  static WorkLimit* GetCurrent() noexcept;
  /// Asked between the steps of planning.
  /// Errors: DiagnosticException with kRunTimedOut when the limit of the calling thread is reached.
  /// [any thread]
  static void RequireTime();
  /// Tells a backend, in the arguments of a call, when the work is to end. [any thread]
  template <typename Args>
  static void TellEnd(Args& args) noexcept {
    const WorkLimit* const limit = GetCurrent();
    if (limit == nullptr) return;
    args.stop = limit->GetStopWord();
    args.deadline_ns = limit->GetDeadlineNs();
  }

 private:
  WorkLimit* const before_;
};

/// The process of one backend in one runtime, as those who run networks see it. Workloads of such a
/// backend that are given a completion only hand their work over and make no fence; Finish waits
/// for it. Without one, they return when it is done.
class BACKPLANE_HOST_API IsolatedProcess {
 public:
  virtual ~IsolatedProcess() = default;

  /// Starts a process when there is none or it has ended. What was made in the one before is of no
  /// use any more: calls of it throw how that one ended.
  /// Null: it runs. Else what keeps it from that; kWorkerNotStarted, kWorkerStaysOut;
  /// kForked in a forked process, where nothing else of this may be called.
  /// [any thread]
  virtual std::unique_ptr<Diagnostic> Start() noexcept = 0;

  /// Bounds all that waits for work of the state, in Finish and in workloads, until it is set
  /// again. When the limit is reached, nothing is begun any more; a workload that has not returned
  /// 100 ms later ends with its process. Borrows it. Null: it is waited for, however long it takes.
  /// [one at a time] for each state
  virtual void SetLimit(IExecutionState& state, WorkLimit* limit) noexcept = 0;

  /// Waits until everything that was handed over with the state is done, the process has ended or
  /// the limit is reached, and says what came of it. Nothing works on when it has returned. Behind
  /// a workload that failed, none is begun. [one at a time] for each state
  virtual FinishedWork Finish(IExecutionState& state) noexcept = 0;

  /// The workload of the state that runs there now.
  /// Null: none, or none that is known. [any thread]
  virtual const IWorkload* FindRunning(const IExecutionState& state) const noexcept = 0;

  /// Whether the process has ended that was started as this number, or is not this process's own:
  /// what was made in it is of no use. [any thread]
  virtual bool HasEnded(std::uint32_t number) const noexcept = 0;

  /// How often one was started until now: the number of the last. [any thread]
  virtual std::uint32_t GetNumStarts() const = 0;
  /// The number of the process, by its own word; -1: there is none. [any thread]
  virtual std::int64_t GetProcessId() const = 0;
};

/// The number of the process in which a backend runs, which is started when there is none. 0: it
/// runs in this one, and `process` is null.
/// Errors: DiagnosticException with what IsolatedProcess::Start gives. [any thread] Since: 0.1
inline std::uint32_t StartProcess(IsolatedProcess* process) {
  if (process == nullptr) return 0;
  if (auto not_started = process->Start()) throw DiagnosticException(*not_started);
  return process->GetNumStarts();
}

}  // namespace backplane
