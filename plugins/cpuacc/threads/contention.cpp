#include "threads/contention.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace backplane {
namespace cpuacc {
namespace {

constexpr auto kUntilOneRan = std::numeric_limits<Contention::Duration::rep>::max();

/// Whether the system took the processor away from this thread since it asked the last time.
bool WasInterrupted() {
  thread_local long known = -1;
  rusage usage = {};
  getrusage(RUSAGE_THREAD, &usage);
  const bool was_interrupted = known >= 0 && usage.ru_nivcsw != known;
  known = usage.ru_nivcsw;
  return was_interrupted;
}

}  // namespace

bool Contention::WantsOneThread(Time now) const {
  return now.time_since_epoch().count() < one_thread_until_.load(std::memory_order_relaxed);
}

bool Contention::KnowsOneThread() const {
  return one_thread_took_.load(std::memory_order_relaxed) != 0;
}

void Contention::NoteOneThread(Duration took) {
  // A run that was interrupted says little about the next.
  constexpr Ticks kSlowness = 16;
  const Ticks known = one_thread_took_.load(std::memory_order_relaxed);
  const Ticks longer = std::max<Ticks>(0, took.count() - known) / kSlowness;
  one_thread_took_.store(known == 0 ? took.count() : std::min(took.count(), known + longer),
                         std::memory_order_relaxed);
  Ticks until = kUntilOneRan;
  one_thread_until_.compare_exchange_strong(until, 0, std::memory_order_relaxed);
}

void Contention::NoteSeveralThreads(Time end, Duration took, bool was_interrupted) {
  if (!KnowsOneThread()) {
    if (was_interrupted) one_thread_until_.store(kUntilOneRan, std::memory_order_relaxed);
    return;
  }
  const Ticks lost = took.count() - one_thread_took_.load(std::memory_order_relaxed);
  if (lost <= 0) return num_losses_.store(0, std::memory_order_relaxed);
  const int num_losses = num_losses_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (num_losses % kRunsOfATrial != 0) return;
  const int num_doublings = std::min(num_losses / kRunsOfATrial, kMostDoublings);
  const Ticks pause = lost * (Ticks{1} << num_doublings);
  one_thread_until_.store(end.time_since_epoch().count() + pause, std::memory_order_relaxed);
}

ContendedRun::ContendedRun(Contention& contention)
    : contention_(contention),
      begin_(std::chrono::steady_clock::now()),
      wants_one_thread_(contention.WantsOneThread(begin_)) {}

void ContendedRun::Finish(int num_threads) {
  // Asking the system takes half a microsecond.
  constexpr std::chrono::microseconds kWorthAsking(100);
  const Contention::Time end = std::chrono::steady_clock::now();
  const Contention::Duration took = end - begin_;
  if (num_threads == 1) return contention_.NoteOneThread(took);
  const bool may_ask = !contention_.KnowsOneThread() && took >= kWorthAsking;
  contention_.NoteSeveralThreads(end, took, may_ask && WasInterrupted());
}

}  // namespace cpuacc
}  // namespace backplane
