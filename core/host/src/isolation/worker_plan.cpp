#include "isolation/worker_plan.hpp"

#include "isolation/describe_worker.hpp"

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
  if (IsForked(plan)) throw DiagnosticException(DescribeForked(plan.backend_id, plan.owner));
}

WorkLimit* GetCallLimit() {
  return call_limit;
}

void ThrowLimitReached(const WorkerPlan& plan) {
  Diagnostic diagnostic{DiagnosticCode::kRunTimedOut};
  diagnostic.subject = {SubjectKind::kBackend, plan.backend_id};
  diagnostic.what = "the process of backend \"" + plan.backend_id + "\" was not ready for a run";
  diagnostic.why =
      "found that it starts, or works for another thread; expected it to answer before the run is "
      "over";
  diagnostic.fix = "allow more time, or load networks before others run";
  throw LimitReached(std::move(diagnostic));
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

}  // namespace backplane
