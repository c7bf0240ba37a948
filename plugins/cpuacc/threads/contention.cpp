#include "threads/contention.hpp"

#include <sys/resource.h>

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
  one_thread_took_.store(took.count(), std::memory_order_relaxed);
  Ticks until = kUntilOneRan;
  one_thread_until_.compare_exchange_strong(until, 0, std::memory_order_relaxed);
}

void Contention::NoteSeveralThreads(Time end, Duration took, bool was_interrupted) {
  const Ticks one_thread_took = one_thread_took_.load(std::memory_order_relaxed);
  const Ticks lost = took.count() - one_thread_took;
  if (one_thread_took == 0) {
    if (was_interrupted) one_thread_until_.store(kUntilOneRan, std::memory_order_relaxed);
  } else if (lost > 0) {
    const Ticks until = end.time_since_epoch().count() + kPatience * lost;
    one_thread_until_.store(until, std::memory_order_relaxed);
  }
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
