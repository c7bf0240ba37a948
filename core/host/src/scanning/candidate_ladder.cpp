#include "scanning/candidate_ladder.hpp"

#include <algorithm>

namespace backplane::scanning {

void CandidateLadder::Begin(Stage stage) {
  Stop();
  current_ = stage;
  begin_ = Clock::now();
}

void CandidateLadder::Stop() {
  if (begin_) candidate_.timings.push_back({current_, Clock::now() - *begin_});
  begin_.reset();
}

void CandidateLadder::Add(Stage stage, std::chrono::nanoseconds duration,
                          std::vector<Diagnostic> diagnostics) {
  Stop();
  current_ = stage;
  candidate_.timings.push_back({stage, duration});
  for (Diagnostic& diagnostic : diagnostics) Report(std::move(diagnostic));
}

void CandidateLadder::Report(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::kError && !first_failed_) first_failed_ = current_;
  candidate_.diagnostics.push_back(std::move(diagnostic));
}

bool CandidateLadder::HasRun(Stage stage) const {
  return std::any_of(candidate_.timings.begin(), candidate_.timings.end(),
                     [&](const StageTiming& timing) { return timing.stage == stage; });
}

void CandidateLadder::Finish(CandidateStatus status_when_passed) {
  Stop();
  candidate_.stage = first_failed_.value_or(current_);
  candidate_.status = first_failed_ ? CandidateStatus::kRejected : status_when_passed;
}

}  // namespace backplane::scanning
