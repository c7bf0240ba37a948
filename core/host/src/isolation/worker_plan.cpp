#include "isolation/worker_plan.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace backplane {
namespace isolation {
namespace {

thread_local WorkLimit* call_limit = nullptr;

}  // namespace

void RefuseFork(const WorkerPlan& plan) {
  if (!IsForked(plan)) return;
  const std::string own = std::to_string(getpid());
  const std::string owner = std::to_string(plan.owner);
  throw DiagnosticException(
      {DiagnosticCode::kForked,
       Severity::kError,
       {SubjectKind::kBackend, plan.backend_id},
       "backend \"" + plan.backend_id +
           "\", which runs in a process of its own, cannot be used by process " + own,
       "found a fork of process " + owner +
           "; expected that process itself, to which the worker of the backend belongs",
       "make another runtime in process " + own + ", or fork before the runtime is made; process " +
           owner + " is not affected"});
}

void ThrowLimitReached(const WorkerPlan& plan) {
  throw LimitReached({DiagnosticCode::kRunTimedOut,
                      Severity::kError,
                      {SubjectKind::kBackend, plan.backend_id},
                      "the process of backend \"" + plan.backend_id + "\" was not ready for a run",
                      "found that it starts, or works for another thread; expected it to answer "
                      "before the run is over",
                      "allow more time, or load networks before others run"});
}

// It asks now and then: the thread sanitizer knows no lock that waits until a time.
std::unique_lock<std::mutex> LockWithinLimit(std::mutex& mutex, const WorkerPlan& plan) {
  constexpr std::chrono::nanoseconds kBetween = std::chrono::microseconds(100);
  if (call_limit == nullptr) return std::unique_lock<std::mutex>(mutex);
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  while (!lock.owns_lock()) {
    if (call_limit->IsReached()) ThrowLimitReached(plan);
    std::this_thread::sleep_for(std::min(kBetween, call_limit->GetWait()));
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

}  // namespace isolation

WorkLimitScope::WorkLimitScope(WorkLimit* limit) noexcept
    : before_(std::exchange(isolation::call_limit, limit)) {}

WorkLimitScope::~WorkLimitScope() {
  isolation::call_limit = before_;
}

WorkLimit* WorkLimitScope::GetCurrent() noexcept {
  return isolation::call_limit;
}

void WorkLimitScope::RequireTime() {
  WorkLimit* const limit = isolation::call_limit;
  if (limit == nullptr || !limit->IsReached()) return;
  Diagnostic diagnostic{DiagnosticCode::kRunTimedOut};
  diagnostic.what = "the plan of a run was not made to its end";
  diagnostic.why = "found the run over while backends were asked, or compiled their layers";
  diagnostic.fix = "allow more time, or announce the shapes, so that plans are made before runs";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace backplane
