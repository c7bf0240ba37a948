#pragma once

/// One process of an isolated backend, and the objects in this process that stand for its own.

#include "isolation/line_budget.hpp"
#include "isolation/worker_plan.hpp"
#include "serving/api_values.hpp"

#include <backplane/api/i_backend_profiling_context.hpp>
#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/host/shared_memory.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backplane::isolation {

class IsolatedState;

/// A set that any thread may use.
template <typename Item>
class SharedSet {
 public:
  void Add(const Item& item) {
    const std::lock_guard<std::mutex> lock(mutex_);
    items_.insert(item);
  }
  void Remove(const Item& item) {
    const std::lock_guard<std::mutex> lock(mutex_);
    items_.erase(item);
  }
  bool Has(const Item& item) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return items_.count(item) != 0;
  }
  /// No item is removed meanwhile.
  template <typename Use>
  void ForEach(const Use& use) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Item& item : items_) use(item);
  }

 private:
  mutable std::mutex mutex_;
  std::set<Item> items_;
};

/// Objects in this process that stand for those of one worker.
///
/// Threads: any.
class ObjectDirectory {
 public:
  /// Makes `count` numbers for objects, and gives the first.
  std::uint64_t MakeIds(std::uint64_t count = 1) { return next_id_.fetch_add(count); }

  void RemoveHandle(const ITensorHandle* handle) {
    handles.Remove(handle);
    handle_epoch_.fetch_add(1, std::memory_order_release);
  }
  /// This number changes when a handle goes.
  std::uint64_t GetHandleEpoch() const { return handle_epoch_.load(std::memory_order_acquire); }

  /// Notes an object that is to be destroyed there, because its counterpart here is gone.
  void AddGone(std::uint64_t id) {
    const std::lock_guard<std::mutex> lock(gone_mutex_);
    gone_.push_back(id);
  }
  std::vector<std::uint64_t> TakeGone() {
    const std::lock_guard<std::mutex> lock(gone_mutex_);
    return std::exchange(gone_, {});
  }

  SharedSet<IsolatedState*> states;
  SharedSet<std::pair<std::uint64_t, IBackendProfiling*>> profilings;  // with their numbers
  // Which tensor handles are of this worker, whatever ids the factories of others have.
  SharedSet<const ITensorHandle*> handles;
  SharedSet<std::string> factory_ids;

 private:
  std::atomic<std::uint64_t> next_id_{1};
  std::atomic<std::uint64_t> handle_epoch_{1};
  std::mutex gone_mutex_;
  std::vector<std::uint64_t> gone_;
};

struct Reply {
  explicit Reply(wire::Message received, std::size_t begin)
      : message(std::move(received)), reader(std::string_view(message.body).substr(begin)) {}
  Reply(Reply&&) = delete;
  wire::Message message;
  wire::Reader reader;
};

/// Answers what a backend asks during a call. Empty: nothing may be asked.
using Answerer = std::function<std::string(const wire::Message&)>;

/// One process of an isolated backend, as it is asked. What was made in it ends with it.
///
/// Threads: any; calls are made one after the other.
class Worker final : private WorkerListener {
 public:
  using Areas = std::vector<std::shared_ptr<SharedArea>>;

  /// `number` counts the processes that were started for the backend, this one included.
  Worker(std::shared_ptr<const WorkerPlan> plan, std::uint32_t number);
  ~Worker() override { is_closing_ = true; }

  /// Called once, before everything else.
  /// Errors: as Call; DiagnosticException with kWorkerNotStarted.
  void Start();

  std::uint32_t GetNumber() const { return number_; }
  const std::string& GetBackendId() const { return plan_->backend_id; }
  ILogger& GetLogger() const { return *plan_->logger; }
  ObjectDirectory& GetObjects() { return objects_; }
  bool IsForked() const { return isolation::IsForked(*plan_); }
  void RefuseFork() const { isolation::RefuseFork(*plan_); }
  /// By its own word; -1: there is none.
  std::int64_t GetProcessId() const { return process_id_.load(); }

  /// Asks it.
  /// Errors: what the backend throws; LimitReached; DiagnosticException with kWorkerEnded or
  /// kForked.
  std::unique_ptr<Reply> Call(wire::Function function, const wire::Writer& body,
                              const Areas& areas = {}, const Answerer& answerer = nullptr,
                              const std::vector<int>& descriptors = {});
  /// Destroys an object there, with the next call at the latest. Exceptions of its destructor are
  /// logged.
  void Destroy(std::uint64_t id) noexcept;
  /// Makes an area known to the process, once.
  /// Errors: as Call.
  void Show(const std::shared_ptr<SharedArea>& area) {
    const CallLock lock = LockCalls();
    SendArea(area);
  }
  /// An area that the process has. Null: it has none of this number.
  std::shared_ptr<SharedArea> FindArea(std::uint64_t id) const;
  /// Ends the process when it sent a reply that is not whole.
  /// Errors: DiagnosticException with kWorkerEnded, then.
  void CheckWhole(const Reply& reply) {
    if (reply.reader.IsWhole()) return;
    EndForPart(reply.message.function);
    throw DiagnosticException(GetDeath());
  }
  /// Takes the next value of a reply. Errors: as CheckWhole.
  template <typename Value>
  Value Take(Reply& reply) {
    auto value = reply.reader.Take<Value>();
    CheckWhole(reply);
    return value;
  }
  /// Throws what was thrown there, with the limits that it seems to have met. A process that has
  /// nothing left of one is ended.
  [[noreturn]] void Rethrow(const std::string& text);

  bool HasEnded() const { return has_ended_.load(std::memory_order_acquire); }
  /// Ends a process that speaks without being asked, or has gone.
  void EndUnlessSilent();
  /// Ends it, for this reason.
  void End(const std::string& why) override;
  /// The same because a run is over: that is no death of which a backend may have so many.
  void EndForRun(const std::string& why);
  bool HasEndedForRun() const {
    const std::lock_guard<std::mutex> lock(end_mutex_);
    return has_ended_for_run_;
  }
  /// How it ended; waits until it is known.
  Diagnostic GetDeath() {
    process_.WaitForEnd();
    const std::lock_guard<std::mutex> lock(end_mutex_);
    return *death_;
  }
  /// Waits until that many notices were taken. False: it is ended, because they do not come.
  bool WaitForNotices(std::uint64_t count);

 private:
  using CallLock = std::unique_lock<std::mutex>;

  CallLock LockCalls() const;
  void Open();
  std::unique_ptr<Reply> Ask(wire::Function function, const wire::Writer& body,
                             const std::vector<int>& descriptors = {},
                             const Answerer& answerer = nullptr);
  std::string AnswerQuestion(const wire::Message& question, const Answerer& answerer,
                             std::exception_ptr& thrown) const;
  std::unique_ptr<Reply> TakeAnswer(wire::Message answer, wire::Function function);
  [[noreturn]] void ThrowUnanswered(wire::Function function, wire::Found found, bool is_late);
  void AwaitWithinLimit();
  void WaitForEndOfSilent();
  std::chrono::milliseconds GetTimeout(wire::Function function) const;
  void SendArea(const std::shared_ptr<SharedArea>& area);
  void SendWhatIsGone();
  void EndForPart(wire::Function function) {
    End("what it answered to " + std::string(wire::FindWords(function)) + " is not whole");
  }

  // In worker_news.cpp, and in the thread that watches the process.
  void OnNotice(const wire::Message& notice) override;
  void OnOutput(bool is_error, const std::string& line) override;
  void OnEnd(const WorkerEnd& end) override;
  void ReportProfiling(wire::Function function, wire::Reader& reader);
  void PassLine(LogLevel level, const std::string& text);
  void LogLinesLeftOut();

  const std::shared_ptr<const WorkerPlan> plan_;
  const std::uint32_t number_;
  ObjectDirectory objects_;
  std::atomic<std::int64_t> process_id_{-1};
  std::atomic<bool> has_ended_{false};
  std::atomic<bool> is_closing_{false};

  mutable std::mutex call_mutex_;  // guards the call socket, and the areas
  std::map<std::uint64_t, std::weak_ptr<SharedArea>> shown_areas_;

  mutable std::mutex end_mutex_;  // guards the three below
  std::string why_ended_;         // by this host; "": it was not
  bool has_ended_for_run_ = false;
  std::optional<Diagnostic> death_;

  LineBudget lines_;       // of the watching thread alone
  WorkerProcess process_;  // last, so that its thread goes first
};

}  // namespace backplane::isolation
