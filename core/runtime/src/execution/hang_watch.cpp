#include "execution/hang_watch.hpp"

#include <backplane/host/blocked_signals.hpp>

#include <backplane/host/logging.hpp>
#include <backplane/host/system_refusal.hpp>

#include <pthread.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

namespace backplane {

namespace {

// What a run may need to leave by itself, so that one that does so is not called hanging.
constexpr std::chrono::milliseconds kSlack{50};
constexpr std::chrono::nanoseconds kFirstInterval = std::chrono::seconds(1);
constexpr std::chrono::nanoseconds kLongestInterval = std::chrono::minutes(5);
// Nothing wakes the watch when a run is cancelled: it looks this often.
constexpr std::chrono::milliseconds kLook{100};

RunLimit::Time GetNextLook(RunLimit::Time due, const CancellationToken& cancellation) {
  if (!cancellation.CanBeCancelled()) return due;
  return std::min(due, std::chrono::steady_clock::now() + kLook);
}

void Collect(const HangWatch::Look& look, std::vector<RunInProgress>& hanging) noexcept {
  try {
    hanging.push_back(look());
  } catch (const std::exception&) {
    return;
  }
}

Diagnostic DescribeNoThread(const std::system_error& error) {
  Diagnostic diagnostic{DiagnosticCode::kRunThreadNotStarted, Severity::kWarning};
  diagnostic.what = "runs that hang are not told of, because no thread could be started";
  const auto refusal = ExplainRefusal(error.code().value());
  diagnostic.why = std::string(error.what()) + (refusal ? "; found: " + refusal->found : "");
  diagnostic.fix = refusal ? refusal->cure : "let the system start threads";
  return diagnostic;
}

}  // namespace

HangWatch::HangWatch(Tell tell) : tell_(std::move(tell)) {}

HangWatch::~HangWatch() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void HangWatch::Add(Entry& entry) {
  bool is_early = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!has_thread_) Start();
    entry.previous = entries_.previous;
    entry.next = &entries_;
    entry.previous->next = entry.next->previous = &entry;
    const Time look = GetNextLook(entry.due, entry.cancellation);
    is_early = look < wake_at_;
    if (is_early) wake_at_ = look;
  }
  if (is_early) changed_.notify_one();
}

void HangWatch::Remove(Entry& entry) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  entry.previous->next = entry.next;
  entry.next->previous = entry.previous;
}

void HangWatch::Start() {
  has_thread_ = true;
  const BlockedSignals inherited;
  try {
    thread_ = std::thread([this] { Work(); });
    pthread_setname_np(thread_.native_handle(), "backplane-watch");
  } catch (const std::system_error& error) {
    tell_(DescribeNoThread(error));
  }
}

// It sleeps until a time that was asked for even when the run that asked has ended: the next one
// then finds it waking early enough, and needs not wake it.
void HangWatch::Work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!is_ending_) {
    if (wake_at_ == Time::max()) {
      changed_.wait(lock);
      continue;
    }
    const Time now = std::chrono::steady_clock::now();
    if (wake_at_ > now) {
      changed_.wait_until(lock, wake_at_);
      continue;
    }
    wake_at_ = Time::max();
    const Time next = TellDue(lock);
    wake_at_ = std::min(wake_at_, next);
  }
}

// The lock is given up while it tells, so that no run waits for that.
HangWatch::Time HangWatch::TellDue(std::unique_lock<std::mutex>& lock) {
  for (;;) {
    std::vector<RunInProgress> hanging;
    const Time next = CollectDue(std::chrono::steady_clock::now(), hanging);
    if (hanging.empty()) return next;
    lock.unlock();
    TellAll(hanging);
    lock.lock();
  }
}

// Without memory for the words there are none; the next time may be better.
void HangWatch::TellAll(const std::vector<RunInProgress>& hanging) const noexcept {
  try {
    for (const RunInProgress& run : hanging) tell_(DescribeHang(run));
  } catch (const std::exception&) {
    return;
  }
}

/// Gives when to look again.
HangWatch::Time HangWatch::CollectDue(Time now, std::vector<RunInProgress>& hanging) noexcept {
  Time next = Time::max();
  for (Entry* entry = entries_.next; entry != &entries_; entry = entry->next) {
    const bool is_new = entry->interval == std::chrono::nanoseconds::zero();
    if (is_new && entry->cancellation.IsCancelled()) {
      entry->due = std::min(entry->due, now + kSlack);
    }
    if (entry->due > now) {
      next = std::min(next, is_new ? GetNextLook(entry->due, entry->cancellation) : entry->due);
      continue;
    }
    entry->interval = is_new ? kFirstInterval : std::min(2 * entry->interval, kLongestInterval);
    entry->due = now + entry->interval;
    next = std::min(next, entry->due);
    Collect(entry->look, hanging);
  }
  return next;
}

HangWatch::Watched::Watched(HangWatch& watch, const RunLimit& limit, Look look)
    : watch_(watch), is_watched_(limit.IsBounded()) {
  if (!is_watched_) return;
  const std::optional<Time> deadline = limit.GetDeadline();
  if (deadline && *deadline < Time::max() - kSlack) entry_.due = *deadline + kSlack;
  entry_.cancellation = limit.GetCancellation();
  entry_.look = std::move(look);
  watch_.Add(entry_);
}

HangWatch::Watched::~Watched() {
  if (is_watched_) watch_.Remove(entry_);
}

}  // namespace backplane
