#include "isolation/worker_life.hpp"

#include "isolation/isolated_state.hpp"

#include <backplane/host/plugin_object.hpp>

#include <utility>

namespace backplane::isolation {

namespace {

/// It died too often.
Diagnostic DescribeStaysOut(const WorkerPlan& plan, std::size_t num_deaths,
                            const Diagnostic& last) {
  return {DiagnosticCode::kWorkerStaysOut,
          Severity::kError,
          {SubjectKind::kBackend, plan.backend_id},
          "backend \"" + plan.backend_id + "\" is not started again now: its process ended " +
              std::to_string(num_deaths) + " times within " +
              std::to_string(plan.settings.deaths_period.count() / 1000) + " s",
          "expected at most " + std::to_string(plan.settings.max_deaths) +
              " times; the last time " + last.why,
          "prefer another backend, and report it to the backend's vendor; it is started again when "
          "the first of these ends is longer ago than that",
          {last}};
}

}  // namespace

WorkerLife::WorkerLife(WorkerPlan plan)
    : plan_(std::make_shared<const WorkerPlan>(std::move(plan))) {}

std::unique_ptr<Diagnostic> WorkerLife::Start() noexcept {
  try {
    Get();
    return nullptr;
  } catch (...) {
    return plugin_call::DescribeCurrentException(GetBackendId(), "the start of its process");
  }
}

std::shared_ptr<Worker> WorkerLife::Get() {
  RefuseFork(*plan_);
  const auto lock = LockWithinLimit(start_mutex_, *plan_);
  const std::shared_ptr<Worker> last = FindLast();
  if (last) {
    last->EndUnlessSilent();
    if (!last->HasEnded()) return last;
    CheckDeaths(*last);
  }
  const auto next = std::make_shared<Worker>(plan_, last ? last->GetNumber() + 1 : 1);
  {
    const std::lock_guard<std::mutex> last_lock(mutex_);
    last_ = next;
  }
  next->Start();
  return next;
}

void WorkerLife::CheckDeaths(Worker& last) {
  if (last.HasEndedForRun()) return;
  const auto now = std::chrono::steady_clock::now();
  const IsolationSettings& settings = plan_->settings;
  while (!deaths_.empty() && now - deaths_.front() > settings.deaths_period) deaths_.pop_front();
  if (deaths_.size() >= settings.max_deaths) {
    throw DiagnosticException(DescribeStaysOut(*plan_, deaths_.size() + 1, last.GetDeath()));
  }
  deaths_.push_back(now);
}

bool WorkerLife::HasEnded(std::uint32_t number) const noexcept {
  if (IsForked(*plan_)) return true;
  const std::shared_ptr<Worker> last = FindLast();
  return !last || last->GetNumber() != number || last->HasEnded();
}

void WorkerLife::SetLimit(IExecutionState& state, WorkLimit* limit) noexcept {
  static_cast<IsolatedState&>(state).SetLimit(limit);
}

FinishedWork WorkerLife::Finish(IExecutionState& state) noexcept {
  return static_cast<IsolatedState&>(state).Finish();
}

const IWorkload* WorkerLife::FindRunning(const IExecutionState& state) const noexcept {
  const auto* const running = static_cast<const IsolatedState&>(state).FindRunning();
  return running != nullptr ? running->self : nullptr;
}

}  // namespace backplane::isolation
