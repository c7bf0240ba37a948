#include "execution/run_limit.hpp"

#include <algorithm>
#include <ctime>

namespace backplane {

namespace {

// Nothing wakes those who wait when a run is cancelled: they look this often.
constexpr std::chrono::milliseconds kLongestWait{10};

// More than the coarse clock can be slow: it goes on with the ticks of the system, of 10 ms at
// most.
constexpr std::chrono::milliseconds kNear{20};

RunLimit::Time LookCoarsely() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return RunLimit::Time(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace

RunLimit::RunLimit(const RunOptions& options, Time begin)
    : begin_(begin),
      deadline_(options.deadline.value_or(Time::max())),
      cancellation_(options.cancellation) {
  if (options.timeout) {
    const auto timeout = std::max(*options.timeout, std::chrono::nanoseconds::zero());
    deadline_ = std::min(deadline_, AddSaturated(begin, timeout));
  }
  near_ = deadline_ < Time::min() + kNear ? Time::min() : deadline_ - kNear;
}

RunLimit::Time RunLimit::LookAtClock() const {
  const Time coarse = LookCoarsely();
  return coarse < near_ ? coarse : std::chrono::steady_clock::now();
}

std::chrono::nanoseconds RunLimit::GetWait(Time now) const {
  if (Check(now) != RunStop::kNone) return std::chrono::nanoseconds::zero();
  return std::min<std::chrono::nanoseconds>(deadline_ - now, kLongestWait);
}

bool IsOfRunEnd(const Diagnostic& failure) {
  return failure.code == DiagnosticCode::kRunTimedOut ||
         std::any_of(failure.causes.begin(), failure.causes.end(), IsOfRunEnd);
}

RunLimit::Time AddSaturated(RunLimit::Time time, std::chrono::nanoseconds span) {
  return span > RunLimit::Time::max() - time ? RunLimit::Time::max() : time + span;
}

Status GetStatus(RunStop stop) {
  switch (stop) {
    case RunStop::kNone:
      return Status::kSuccess;
    case RunStop::kDeadline:
      return Status::kTimeout;
    case RunStop::kCancelled:
      return Status::kCancelled;
  }
  return Status::kFailure;
}

}  // namespace backplane
