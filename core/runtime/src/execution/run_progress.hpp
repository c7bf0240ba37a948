#pragma once

#include <backplane/host/thread_places.hpp>
#include <backplane/runtime/run_in_progress.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>

namespace backplane {

/// Where a run is.
struct RunPlace {
  using Time = std::chrono::steady_clock::time_point;

  RunPhase phase = RunPhase::kTensors;
  std::size_t step = 0;       // of the plan, unless the phase is kTensors
  std::optional<Time> since;  // of a bounded run: when it came there
  std::optional<Time> deadline;
};

/// Where the run in one working memory is, for others to see while it goes on. Costs a run one
/// store for each step.
///
/// Threads: one writes, any read. What they read may be of two moments.
class RunProgress {
 public:
  using Time = RunPlace::Time;

  /// For a bounded run: it has begun.
  void Begin(std::optional<Time> deadline) {
    deadline_.store(deadline ? ToNumber(*deadline) : kNoTime, std::memory_order_relaxed);
    cell_.Set(StepCell::kAtTensors);
  }
  /// For a bounded run: it has ended, and nothing of it goes on.
  void End() {
    Leave();
    since_.store(kNoTime, std::memory_order_relaxed);
    deadline_.store(kNoTime, std::memory_order_relaxed);
  }

  void EnterStep(std::size_t step) { cell_.Set(static_cast<std::uint32_t>(step)); }
  void EnterStep(std::size_t step, Time now) {
    since_.store(ToNumber(now), std::memory_order_relaxed);
    EnterStep(step);
  }
  void AwaitStep(std::size_t step) {
    cell_.Set(static_cast<std::uint32_t>(step) | StepCell::kAtFence);
  }
  void AwaitStep(std::size_t step, Time now) {
    since_.store(ToNumber(now), std::memory_order_relaxed);
    AwaitStep(step);
  }
  /// It is in no step any more.
  void Leave() { cell_.Set(StepCell::kIdle); }

  /// Nothing: no run is in a step.
  std::optional<RunPlace> Find() const {
    const std::uint32_t at = cell_.Get();
    if (at == StepCell::kIdle) return std::nullopt;
    RunPlace place;
    place.since = ToTime(since_.load(std::memory_order_relaxed));
    place.deadline = ToTime(deadline_.load(std::memory_order_relaxed));
    if (at == StepCell::kAtTensors) return place;
    place.phase = (at & StepCell::kAtFence) != 0 ? RunPhase::kFence : RunPhase::kLayer;
    place.step = at & ~StepCell::kAtFence;
    return place;
  }

 private:
  using Number = Time::rep;

  static constexpr Number kNoTime = 0;

  static Number ToNumber(Time time) { return time.time_since_epoch().count(); }
  static std::optional<Time> ToTime(Number number) {
    if (number == kNoTime) return std::nullopt;
    return Time(Time::duration(number));
  }

  StepCell cell_;  // first, as AllocateForPlaces wants it
  std::atomic<Number> since_{kNoTime};
  std::atomic<Number> deadline_{kNoTime};
};

/// Where crash notes find it, when they are on.
inline std::shared_ptr<RunProgress> MakeRunProgress() {
  static_assert(std::is_trivially_destructible_v<RunProgress>);
  static_assert(std::is_standard_layout_v<RunProgress>);
  const std::shared_ptr<void> memory = AllocateForPlaces(sizeof(RunProgress));
  if (!memory) return std::make_shared<RunProgress>();
  return {memory, new (memory.get()) RunProgress};
}

}  // namespace backplane
