#pragma once

#include "backend/progress_observer.hpp"

#include <backplane/host/load_report.hpp>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace backplane::probing {

/// Writes into a candidate what happened in each stage.
class CandidateLadder {
 public:
  /// Null: without `observer`, nobody is told of the stages as they begin.
  explicit CandidateLadder(Candidate& candidate, backend::ProgressObserver* observer = nullptr)
      : candidate_(candidate), observer_(observer) {}

  /// Begins a stage; its time runs until the next one begins or Stop.
  void Begin(Stage stage);
  void Stop();

  /// Takes over a stage that was run and timed elsewhere.
  void Add(Stage stage, std::chrono::nanoseconds duration, std::vector<Diagnostic> diagnostics);

  /// Takes over all that was found in another process: stages, diagnostics and identity.
  void Adopt(Candidate probed);

  /// Takes back that a stage and those behind it ran, but not what they found.
  void ForgetFrom(Stage stage);

  /// Adds what was found in the current stage; an error fails it.
  void Report(Diagnostic diagnostic);

  /// Fails the current stage; another one will say why.
  void FailWithoutReason();

  bool HasFailed() const { return first_failed_.has_value(); }
  bool HasRun(Stage stage) const;

  /// The one that was begun or added last.
  Stage GetStage() const { return current_; }

  /// The one that is told of calls into the backend, or null.
  backend::ProgressObserver* GetObserver() const { return observer_; }

  /// Sets the candidate's stage and status from what was reported.
  void Finish(CandidateStatus status_when_passed);

 private:
  using Clock = std::chrono::steady_clock;

  void Record(Stage stage, std::chrono::nanoseconds duration, std::optional<StageSpan> span);
  Diagnostic* FindKnown(const Diagnostic& diagnostic);

  Candidate& candidate_;
  backend::ProgressObserver* observer_;
  Stage current_ = Stage::kPath;
  bool has_current_failed_ = false;
  std::optional<Clock::time_point> begin_;
  std::optional<Stage> first_failed_;
};

}  // namespace backplane::probing
