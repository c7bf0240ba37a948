#include "execution/async_runs.hpp"

#include <backplane/host/blocked_signals.hpp>

#include <backplane/host/system_refusal.hpp>

#include <pthread.h>

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

namespace backplane {

namespace {

using std::chrono::steady_clock;

RunResult MakeFullResult(const QueuedRun& run, std::size_t num_threads, std::size_t capacity) {
  Diagnostic diagnostic{DiagnosticCode::kRunQueueFull};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(run.network)};
  diagnostic.what =
      "an asynchronous run of network " + std::to_string(run.network) + " was not accepted";
  diagnostic.why = "found " + std::to_string(capacity) +
                   " runs that go on or wait; expected fewer "
                   "than queue_capacity " +
                   std::to_string(capacity - num_threads) + " and num_threads " +
                   std::to_string(num_threads) + " together";
  diagnostic.fix = "wait for earlier runs, or let the call wait with max_wait";
  return {Status::kBusy, std::move(diagnostic)};
}

RunResult MakeNoThreadResult(const QueuedRun& run) {
  Diagnostic diagnostic{DiagnosticCode::kRunThreadNotStarted};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(run.network)};
  diagnostic.what =
      "an asynchronous run of network " + std::to_string(run.network) + " was not accepted";
  const auto refusal = ExplainRefusal(EAGAIN);
  diagnostic.why =
      "found that the system starts no thread (" + refusal->found + "); expected one to run it on";
  diagnostic.fix = refusal->cure;
  return {Status::kUnavailable, std::move(diagnostic)};
}

/// What `make` gives, or that there was no memory for it.
template <typename Make>
RunResult MakeResult(const QueuedRun& run, const Make& make) noexcept {
  try {
    return make(run);
  } catch (const std::bad_alloc&) {
    return {Status::kOutOfMemory, DescribeOutOfMemory("an asynchronous run was not run")};
  }
}

template <typename Make>
void TellMade(QueuedRun& run, const Make& make) noexcept {
  run.Tell(MakeResult(run, make));
}

Status Refuse(RunResult result, std::optional<Diagnostic>* failure) {
  if (failure != nullptr) *failure = std::move(result.failure);
  return result.status;
}

}  // namespace

AsyncRuns::AsyncRuns(const AsyncRunSettings& settings, Execute execute)
    : num_threads_(std::max<std::size_t>(1, settings.num_threads)),
      capacity_(num_threads_ + settings.queue_capacity),
      execute_(std::move(execute)) {}

Status AsyncRuns::Enqueue(const Run& run, std::chrono::nanoseconds max_wait,
                          std::optional<Diagnostic>* failure) {
  try {
    std::unique_lock<std::mutex> lock(mutex_);
    RunResult answer = AwaitRoom(lock, *run, max_wait);
    if (answer.status != Status::kSuccess) return Refuse(std::move(answer), failure);
    if (!StartThreads(*run)) return Refuse(MakeNoThreadResult(*run), failure);
    queue_.Push(run);
  } catch (const std::bad_alloc&) {
    if (failure != nullptr) *failure = DescribeOutOfMemory("an asynchronous run was not accepted");
    return Status::kOutOfMemory;
  }
  came_.notify_one();
  if (run->limit.IsBounded()) changed_.notify_one();
  return Status::kSuccess;
}

bool AsyncRuns::HasRoom() const {
  return queue_.Size() + num_running_ < capacity_;
}

RunResult AsyncRuns::AwaitRoom(std::unique_lock<std::mutex>& lock, const QueuedRun& run,
                               std::chrono::nanoseconds max_wait) {
  Time now = steady_clock::now();
  const Time end = AddSaturated(now, max_wait);
  for (;;) {
    if (is_stopped_) return MakeShutDownResult(run.network);
    const RunStop stop = run.limit.Check(now);
    if (stop != RunStop::kNone) return MakeStopResult(run.network, stop);
    if (HasRoom()) return {};
    if (now >= end) return MakeFullResult(run, num_threads_, capacity_);
    room_.wait_until(lock, std::min(end, AddSaturated(now, run.limit.GetWait(now))));
    now = steady_clock::now();
  }
}

/// Sees to it that a run that is about to be queued is run; false when it cannot be.
bool AsyncRuns::StartThreads(const QueuedRun& run) {
  const bool is_one_free = num_idle_ > queue_.Size();
  if (!is_one_free && num_runners_ < num_threads_ && Start(&AsyncRuns::RunAll, "backplane-run")) {
    ++num_runners_;
  }
  if (num_runners_ == 0) return false;
  // Without it, such a run is ended when its turn comes.
  if (!is_one_free && !has_keeper_ && run.limit.IsBounded()) {
    has_keeper_ = Start(&AsyncRuns::EndStopped, "backplane-queue");
  }
  return true;
}

// The thread waits for the lock, which the caller has, before it touches its worker.
bool AsyncRuns::Start(Loop loop, const char* name) {
  const BlockedSignals inherited;
  workers_.emplace_back();
  Worker& worker = workers_.back();
  try {
    worker.thread =
        std::thread([self = shared_from_this(), loop, &worker] { ((*self).*loop)(worker); });
  } catch (const std::system_error&) {
    workers_.pop_back();
    return false;
  }
  pthread_setname_np(worker.thread.native_handle(), name);
  return true;
}

void AsyncRuns::RunAll(Worker& worker) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!is_stopped_) {
    if (!queue_.IsEmpty()) {
      RunNext(worker, lock);
      continue;
    }
    ++num_idle_;
    came_.wait(lock);
    --num_idle_;
  }
  worker.has_ended = true;
  ended_.notify_all();
}

// There is room for another run before the handler is called, so that it can enqueue one.
void AsyncRuns::RunNext(Worker& worker, std::unique_lock<std::mutex>& lock) {
  worker.current = queue_.Pop();
  ++num_running_;
  lock.unlock();
  RunResult result = MakeResult(*worker.current, execute_);
  lock.lock();
  --num_running_;
  worker.is_in_handler = true;
  room_.notify_one();
  lock.unlock();
  worker.current->Tell(std::move(result));
  lock.lock();
  worker.is_in_handler = false;
  Run told = std::move(worker.current);
  lock.unlock();
  // What the application gave is destroyed without the lock.
  told.reset();
  lock.lock();
}

void AsyncRuns::EndStopped(Worker& worker) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!is_stopped_) {
    const Time now = steady_clock::now();
    const RunQueue::Runs stopped = queue_.TakeStopped(now);
    if (stopped.empty()) {
      const Time next = queue_.GetNextLook(now);
      if (next == Time::max()) {
        changed_.wait(lock);
      } else {
        changed_.wait_until(lock, next);
      }
      continue;
    }
    worker.is_in_handler = true;
    room_.notify_all();
    lock.unlock();
    for (const auto& entry : stopped) {
      TellMade(*entry.second, [](const QueuedRun& run) {
        return MakeStopResult(run.network, run.limit.Check(steady_clock::now()));
      });
    }
    lock.lock();
    worker.is_in_handler = false;
  }
  worker.has_ended = true;
  ended_.notify_all();
}

void AsyncRuns::CancelAllOf(NetworkId network) {
  std::unique_lock<std::mutex> lock(mutex_);
  const RunQueue::Runs taken = queue_.TakeAllOf(network);
  lock.unlock();
  if (taken.empty()) return;
  room_.notify_all();
  for (const auto& entry : taken) {
    TellMade(*entry.second, [](const QueuedRun& run) { return MakeUnloadedResult(run.network); });
  }
}

void AsyncRuns::Stop() {
  std::unique_lock<std::mutex> lock(mutex_);
  is_stopped_ = true;
  const RunQueue::Runs taken = queue_.TakeAll();
  lock.unlock();
  came_.notify_all();
  room_.notify_all();
  changed_.notify_all();
  for (const auto& entry : taken) {
    TellMade(*entry.second, [](const QueuedRun& run) { return MakeShutDownResult(run.network); });
  }
}

AsyncRuns::Busy AsyncRuns::GetBusy() const {
  Busy busy = Busy::kNone;
  for (const Worker& worker : workers_) {
    if (worker.has_ended) continue;
    if (!worker.current && !worker.is_in_handler) return Busy::kEnding;
    busy = Busy::kWithRuns;
  }
  return busy;
}

std::size_t AsyncRuns::Join(Time deadline) {
  std::vector<Run> hanging;
  std::size_t num_in_handlers = 0;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      const Busy busy = GetBusy();
      if (busy == Busy::kNone) break;
      if (busy == Busy::kWithRuns && steady_clock::now() >= deadline) break;
      // Those without a run end by themselves.
      if (busy == Busy::kEnding || deadline == Time::max()) {
        ended_.wait(lock);
      } else {
        ended_.wait_until(lock, deadline);
      }
    }
    for (Worker& worker : workers_) {
      if (worker.has_ended) continue;
      if (worker.is_in_handler) ++num_in_handlers;
      if (worker.current && !worker.is_in_handler) hanging.push_back(worker.current);
      worker.thread.detach();
    }
  }
  for (const Run& run : hanging) {
    TellMade(*run, [](const QueuedRun& one) { return MakeLeftResult(one.network); });
  }
  for (Worker& worker : workers_) {
    if (worker.thread.joinable()) worker.thread.join();
  }
  return num_in_handlers;
}

}  // namespace backplane
