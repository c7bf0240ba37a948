#pragma once

#include <backplane/host/load_report.hpp>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace backplane::scanning {

/// Writes into a candidate what happened in each stage.
class CandidateLadder {
 public:
  explicit CandidateLadder(Candidate& candidate) : candidate_(candidate) {}

  /// Begins a stage; its time runs until the next one begins or Stop.
  void Begin(Stage stage);
  void Stop();

  /// Takes over a stage that was run and timed elsewhere.
  void Add(Stage stage, std::chrono::nanoseconds duration, std::vector<Diagnostic> diagnostics);

  /// Adds what was found in the current stage; an error fails it.
  void Report(Diagnostic diagnostic);

  bool HasFailed() const { return first_failed_.has_value(); }
  bool HasRun(Stage stage) const;

  /// Sets the candidate's stage and status from what was reported.
  void Finish(CandidateStatus status_when_passed);

 private:
  using Clock = std::chrono::steady_clock;

  Candidate& candidate_;
  Stage current_ = Stage::kPath;
  std::optional<Clock::time_point> begin_;
  std::optional<Stage> first_failed_;
};

}  // namespace backplane::scanning
