#pragma once

#include "isolation/worker.hpp"
#include "isolation/worker_plan.hpp"

#include <backplane/host/isolation.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace backplane::isolation {

/// The processes of one backend, one after the other: each is started when the one before has ended
/// and something is asked.
///
/// Threads: any.
class WorkerLife final : public IsolatedProcess {
 public:
  explicit WorkerLife(WorkerPlan plan);

  std::unique_ptr<Diagnostic> Start() noexcept override;
  bool HasEnded(std::uint32_t number) const noexcept override;
  void SetLimit(IExecutionState& state, WorkLimit* limit) noexcept override;
  FinishedWork Finish(IExecutionState& state) noexcept override;
  const IWorkload* FindRunning(const IExecutionState& state) const noexcept override;
  std::uint32_t GetNumStarts() const override {
    const std::shared_ptr<Worker> last = FindLast();
    return last ? last->GetNumber() : 0;
  }
  std::int64_t GetProcessId() const override {
    const std::shared_ptr<Worker> last = FindLast();
    return last ? last->GetProcessId() : -1;
  }

  const std::string& GetBackendId() const { return plan_->backend_id; }

  /// The process that runs, after starting it where there is none.
  /// Errors: what the backend throws when it is made; LimitReached; DiagnosticException with
  /// kWorkerEnded, kWorkerNotStarted, kWorkerStaysOut or kForked.
  std::shared_ptr<Worker> Get();

  /// The last that was started, which may have ended. Null: none was.
  std::shared_ptr<Worker> FindLast() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return last_;
  }

 private:
  void CheckDeaths(Worker& last);

  const std::shared_ptr<const WorkerPlan> plan_;
  std::mutex start_mutex_;                                    // one starts it, the others wait
  std::deque<std::chrono::steady_clock::time_point> deaths_;  // guarded by start_mutex_

  mutable std::mutex mutex_;
  std::shared_ptr<Worker> last_;  // guarded by mutex_; null before the first
};

}  // namespace backplane::isolation
