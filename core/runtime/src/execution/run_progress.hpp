#pragma once

#include <backplane/runtime/run_in_progress.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

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
    place_.store(kAtTensors, std::memory_order_relaxed);
  }
  /// For a bounded run: it has ended, and nothing of it goes on.
  void End() {
    Leave();
    since_.store(kNoTime, std::memory_order_relaxed);
    deadline_.store(kNoTime, std::memory_order_relaxed);
  }

  void EnterStep(std::size_t step) {
    place_.store(static_cast<std::uint32_t>(step), std::memory_order_relaxed);
  }
  void EnterStep(std::size_t step, Time now) {
    since_.store(ToNumber(now), std::memory_order_relaxed);
    EnterStep(step);
  }
  void AwaitStep(std::size_t step) {
    place_.store(static_cast<std::uint32_t>(step) | kAtFence, std::memory_order_relaxed);
  }
  void AwaitStep(std::size_t step, Time now) {
    since_.store(ToNumber(now), std::memory_order_relaxed);
    AwaitStep(step);
  }
  /// It is in no step any more.
  void Leave() { place_.store(kIdle, std::memory_order_relaxed); }

  /// Nothing: no run is in a step.
  std::optional<RunPlace> Find() const {
    const std::uint32_t at = place_.load(std::memory_order_relaxed);
    if (at == kIdle) return std::nullopt;
    RunPlace place;
    place.since = ToTime(since_.load(std::memory_order_relaxed));
    place.deadline = ToTime(deadline_.load(std::memory_order_relaxed));
    if (at == kAtTensors) return place;
    place.phase = (at & kAtFence) != 0 ? RunPhase::kFence : RunPhase::kLayer;
    place.step = at & ~kAtFence;
    return place;
  }

 private:
  using Number = Time::rep;

  static constexpr std::uint32_t kIdle = ~std::uint32_t{0};
  static constexpr std::uint32_t kAtTensors = kIdle - 1;
  static constexpr std::uint32_t kAtFence = std::uint32_t{1} << 31;
  static constexpr Number kNoTime = 0;

  static Number ToNumber(Time time) { return time.time_since_epoch().count(); }
  static std::optional<Time> ToTime(Number number) {
    if (number == kNoTime) return std::nullopt;
    return Time(Time::duration(number));
  }

  std::atomic<std::uint32_t> place_{kIdle};
  std::atomic<Number> since_{kNoTime};
  std::atomic<Number> deadline_{kNoTime};
};

}  // namespace backplane
