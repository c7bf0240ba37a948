#pragma once

#include "isolation/line_budget.hpp"
#include "isolation/worker_process.hpp"
#include "messages/api_values.hpp"
#include "sandbox/sandbox_plan.hpp"

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/host/forks.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/host/shared_memory.hpp>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace backplane::isolation {

class IsolatedState;

inline constexpr char kIsolationChannel[] = "isolation";  // of the log

/// What a backend's process is started with.
struct WorkerPlan {
  std::string backend_id;
  std::string program;
  probing::PluginFile file;
  IsolationSettings settings;
  sandbox::SandboxPlan sandbox;
  std::shared_ptr<ILogger> logger;
  WorkerStarter starter = StartWorkerProcess;
};

/// A question of a backend during a call, and its answer.
struct Answered {
  messages::Function function = messages::Function::kOpen;
  std::string question;
  std::string answer;
};

/// What was asked, so that it can be asked again of the next process. Forgotten with the last who
/// holds it.
struct Step {
  messages::Function function = messages::Function::kOpen;
  std::string body;
  std::vector<std::shared_ptr<SharedArea>> areas;  // that the body names
  std::vector<discovery::FileDescriptor> descriptors;
  std::vector<Answered> answered;        // what it asked meanwhile, in its order
  std::string answer;                    // what it answered itself
  std::vector<std::uint64_t> destroyed;  // of the objects that came of it
};

struct Reply {
  explicit Reply(messages::Message received, std::size_t begin)
      : message(std::move(received)),
        reader(std::string_view(message.body).substr(begin)),
        begin_(begin) {}
  Reply(Reply&&) = delete;
  /// All that it says.
  std::string GetAnswer() const { return message.body.substr(begin_); }
  messages::Message message;
  messages::Reader reader;

 private:
  std::size_t begin_;
};

/// Writes what every call of the Backend API has: its context, and the options.
void PutCallParts(messages::Writer& writer, const IBackendContext* context,
                  const BackendOptions* options);

/// Answers what a backend asks during a call. Empty: nothing may be asked.
using Answerer = std::function<std::string(const messages::Message&)>;

/// Ends the wait for a call: the limit of a WorkLimitScope is reached.
struct LimitReached : DiagnosticException {
  using DiagnosticException::DiagnosticException;
};

/// The process of one backend, with all that is needed to put another in its place.
class WorkerLink final : public IsolatedProcess {
 public:
  explicit WorkerLink(WorkerPlan plan);
  ~WorkerLink() override;
  WorkerLink(const WorkerLink&) = delete;
  WorkerLink& operator=(const WorkerLink&) = delete;

  std::unique_ptr<Diagnostic> Start() noexcept override;
  void SetLimit(IExecutionState& state, WorkLimit* limit) noexcept override;
  FinishedWork Finish(IExecutionState& state) noexcept override;
  const IWorkload* FindRunning(const IExecutionState& state) const noexcept override;
  bool HasEnded(const IExecutionState& state) const noexcept override;
  std::uint32_t GetNumStarts() const override { return generation_.load(); }
  std::int64_t GetProcessId() const override { return process_id_.load(); }

  const std::string& GetBackendId() const { return plan_.backend_id; }
  /// Whether this process is a fork of the one that has the worker. Then nothing of it is touched:
  /// sockets, lanes and areas are shared with the parent, and its locks may be held for ever.
  bool IsForked() const { return num_forks_ != CountForks(); }
  /// Errors: DiagnosticException with kForked.
  void RefuseFork() const;
  ILogger& GetLogger() const { return *plan_.logger; }

  /// Numbers for objects; the first of `count`.
  std::uint64_t MakeIds(std::uint64_t count = 1) { return next_id_.fetch_add(count); }

  /// Asks the process, after starting it where there is none.
  /// Errors: what the backend throws; DiagnosticException with kWorkerEnded, kWorkerNotStarted,
  /// kWorkerStaysOut or kForked.
  /// Threads: any, one after the other.
  std::unique_ptr<Reply> Call(messages::Function function, const messages::Writer& body,
                              const std::vector<std::shared_ptr<SharedArea>>& areas = {});
  /// As Call, and says in `generation` which process was asked.
  std::unique_ptr<Reply> CallForGeneration(messages::Function function, const std::string& body,
                                           const std::vector<std::shared_ptr<SharedArea>>& areas,
                                           std::uint32_t* generation);
  /// As Call, but of the process of this generation alone.
  /// Errors: also kWorkerEnded, with its end, when it has gone.
  std::unique_ptr<Reply> CallSame(std::uint32_t generation, messages::Function function,
                                  const messages::Writer& body,
                                  const std::vector<std::shared_ptr<SharedArea>>& areas = {});
  /// As Call, with what is asked again of every later process, as long as somebody holds it.
  std::unique_ptr<Reply> CallAndKeep(const std::shared_ptr<Step>& step,
                                     const Answerer& answerer = nullptr);
  /// As Call, but nothing is started for it, and a process that ends meanwhile is no error.
  /// Errors: what the backend throws.
  void CallIfRunning(messages::Function function, const messages::Writer& body);
  /// Ends the process that sent a reply which is not whole.
  /// Errors: DiagnosticException with kWorkerEnded, then.
  void CheckWhole(const Reply& reply);
  /// Destroys an object there. Nothing to do in a process that has ended.
  /// Errors: what its destructor throws.
  void Destroy(std::uint64_t id, const std::shared_ptr<Step>& step);
  /// Makes an area known to the process, once.
  void Show(const std::shared_ptr<SharedArea>& area);
  /// Throws what was thrown there, with the limits that it seems to have met; a process that has
  /// nothing left of one is ended.
  [[noreturn]] void Rethrow(const std::string& thrown);
  /// One that the process has. Null: it has none of this number.
  std::shared_ptr<SharedArea> FindArea(std::uint64_t id) const;

  /// Its number as long as it is the process of the number `generation`; it was started so often.
  std::uint32_t GetGeneration() const { return generation_.load(std::memory_order_acquire); }
  bool HasEnded(std::uint32_t generation) const {
    return ended_generation_.load(std::memory_order_acquire) >= generation;
  }
  /// Ends the process of this generation, for this reason.
  void End(std::uint32_t generation, const std::string& why);
  /// The same because a run is over: that is no death of which a backend may have so many.
  void EndForRun(std::uint32_t generation, const std::string& why);
  /// How that process ended; waits until it is known.
  Diagnostic GetDeath(std::uint32_t generation);
  /// Until that many notices of this process were taken. False: it is ended, because they do not
  /// come.
  bool WaitForNotices(std::uint32_t generation, std::uint64_t count);

  void AddState(IsolatedState* state);
  void RemoveState(IsolatedState* state);
  void AddProfiling(std::uint64_t id, IBackendProfiling* profiling);
  void RemoveProfiling(std::uint64_t id);
  /// Which tensor handles are of this backend, whatever ids the factories of others have.
  void AddHandle(const ITensorHandle* handle);
  void RemoveHandle(const ITensorHandle* handle);
  bool IsOwnHandle(const ITensorHandle* handle) const;
  /// As long as it is the same, no handle has gone.
  std::uint64_t GetHandleEpoch() const { return handle_epoch_.load(std::memory_order_acquire); }
  void AddFactoryId(const std::string& id);
  bool IsOwnFactory(const std::string& id) const;

 private:
  using Clock = std::chrono::steady_clock;

  using CallLock = std::unique_lock<std::recursive_mutex>;

  /// Errors: LimitReached.
  CallLock LockCalls() const;
  std::unique_ptr<Reply> Ask(messages::Function function, std::string_view body,
                             const std::vector<discovery::FileDescriptor>& descriptors,
                             const Answerer& answerer);
  void AwaitWithinBound(int socket, std::uint32_t generation);
  [[noreturn]] void ThrowLimitReached() const;
  void StartWith(const std::vector<std::shared_ptr<SharedArea>>& areas);
  void SendArea(const std::shared_ptr<SharedArea>& area);
  void SendWhatIsGone();
  void ForgetSteps();
  void EndForPart(messages::Function function);
  void EndWornOut();
  void WaitForEndOfSilent(WorkerProcess& process, std::uint32_t generation);

  // In worker_starts.cpp.
  void EnsureStarted();
  void EndThatSpeaksUnasked();
  void StartNext();
  void Open();
  void Replay();
  void CheckDeaths(const Diagnostic& last);

  // In worker_news.cpp, and in the thread that watches the process.
  void PassLine(LogLevel level, const std::string& text);
  void LogLinesLeftOut();
  void OnNotice(const messages::Message& notice);
  void OnEnd(const WorkerEnd& end);

  const WorkerPlan plan_;
  const std::uint32_t num_forks_ = CountForks();
  const std::int64_t owner_ = getpid();
  std::atomic<std::uint64_t> next_id_{1};
  std::atomic<std::uint32_t> generation_{0};
  std::atomic<std::uint32_t> ended_generation_{0};
  std::atomic<bool> is_closing_{false};
  std::atomic<std::uint64_t> handle_epoch_{1};
  std::atomic<std::int64_t> process_id_{-1};

  // Guards what stands behind it, and the call socket. A call may lead to others of the same
  // thread: what it is asked for may let go of objects.
  mutable std::recursive_mutex call_mutex_;
  int call_depth_ = 0;
  std::vector<std::uint64_t> destroyed_meanwhile_;
  std::map<std::uint64_t, std::weak_ptr<Step>> steps_;
  std::uint64_t next_step_ = 0;
  std::size_t num_steps_at_sweep_ = 0;
  std::map<std::uint64_t, std::weak_ptr<SharedArea>> shown_areas_;
  std::deque<Clock::time_point> deaths_;

  mutable std::mutex state_mutex_;  // for what the watching thread uses too
  std::set<IsolatedState*> states_;
  std::map<std::uint64_t, IBackendProfiling*> profilings_;
  std::unordered_set<const ITensorHandle*> handles_;
  std::set<std::string> factory_ids_;
  std::string why_ended_;  // by this host; "": it was not
  bool has_ended_for_run_ = false;
  std::weak_ptr<WorkerProcess> running_;
  std::map<std::uint32_t, Diagnostic> ends_;  // how the last processes ended
  LineBudget lines_;                          // of the watching thread alone

  std::shared_ptr<WorkerProcess> process_;  // guarded by call_mutex_; last, so that it goes first
};

}  // namespace backplane::isolation
