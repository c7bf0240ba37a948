#pragma once

#include "profiling/clock.hpp"

#include <backplane/host/isolation.hpp>
#include <backplane/runtime/run_options.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace backplane {

/// What ends a run before its end.
enum class RunStop : std::uint8_t { kNone, kDeadline, kCancelled };

/// Says whether a run may go on, until when, and what ends it. Everything that runs steps or waits
/// for them asks it: between two steps, and when it has waited for GetWait.
///
/// Threads: any; it never changes.
class RunLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `begin` is when the application asked for the run.
  RunLimit(const RunOptions& options, Time begin);

  Time GetBegin() const { return begin_; }
  std::optional<Time> GetDeadline() const {
    if (deadline_ == Time::max()) return std::nullopt;
    return deadline_;
  }
  /// The same of CLOCK_MONOTONIC, for backends. 0: none.
  std::uint64_t GetDeadlineNs() const {
    return deadline_ != Time::max() ? profiling::ToNanoseconds(deadline_) : 0;
  }
  const CancellationToken& GetCancellation() const { return cancellation_; }
  bool IsCancelled() const { return cancellation_.IsCancelled(); }
  bool IsBounded() const { return deadline_ != Time::max() || cancellation_.CanBeCancelled(); }

  /// Now, for Check and for telling where a run is: cheaper than the clock, and some milliseconds
  /// slow, while the deadline is far away.
  Time LookAtClock() const;

  /// kNone: the run may go on.
  RunStop Check(Time now) const {
    if (now >= deadline_) return RunStop::kDeadline;
    return IsCancelled() ? RunStop::kCancelled : RunStop::kNone;
  }

  /// How long one may wait before asking again; at least 0.
  std::chrono::nanoseconds GetWait(Time now) const;

 private:
  Time begin_;
  Time deadline_;
  Time near_;  // from when on the clock is looked at exactly
  CancellationToken cancellation_;
};

/// The same for planning, and for waits for isolated backends. Borrows the limit.
class RunWorkLimit final : public WorkLimit {
 public:
  explicit RunWorkLimit(const RunLimit& limit) : limit_(limit) {}

  std::chrono::nanoseconds GetWait() noexcept override {
    return limit_.GetWait(std::chrono::steady_clock::now());
  }
  bool IsReached() noexcept override {
    return limit_.Check(std::chrono::steady_clock::now()) != RunStop::kNone;
  }
  const char* GetReason() const noexcept override { return "it was not ready when a run was over"; }
  const std::uint32_t* GetStopWord() const noexcept override {
    return limit_.GetCancellation().GetStopWord();
  }
  std::uint64_t GetDeadlineNs() const noexcept override { return limit_.GetDeadlineNs(); }

 private:
  const RunLimit& limit_;
};

/// Bounds what the calling thread does for a run, until this goes: see WorkLimitScope. Borrows the
/// limit. Null: it takes as long as it takes.
class RunWorkScope {
 public:
  explicit RunWorkScope(const RunLimit* limit)
      : limit_(limit != nullptr ? std::make_optional<RunWorkLimit>(*limit) : std::nullopt),
        scope_(limit_ ? &*limit_ : nullptr) {}

 private:
  std::optional<RunWorkLimit> limit_;
  const WorkLimitScope scope_;
};

/// Whether something failed because the run was over for which it was done.
bool IsOfRunEnd(const Diagnostic& failure);

/// `time` and `span` later, or max.
RunLimit::Time AddSaturated(RunLimit::Time time, std::chrono::nanoseconds span);

/// kTimeout or kCancelled; kSuccess for kNone.
Status GetStatus(RunStop stop);

}  // namespace backplane
