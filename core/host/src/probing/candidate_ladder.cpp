#include "probing/candidate_ladder.hpp"

#include <algorithm>
#include <iterator>

namespace backplane::probing {

void CandidateLadder::Begin(Stage stage) {
  Stop();
  current_ = stage;
  begin_ = Clock::now();
  if (observer_ != nullptr) observer_->OnStage(stage);
}

void CandidateLadder::Stop() {
  if (begin_) {
    const Clock::time_point end = Clock::now();
    Record(current_, end - *begin_, StageSpan{*begin_, end});
  }
  begin_.reset();
}

void CandidateLadder::Add(Stage stage, std::chrono::nanoseconds duration,
                          std::vector<Diagnostic> diagnostics) {
  Stop();
  current_ = stage;
  for (Diagnostic& diagnostic : diagnostics) Report(std::move(diagnostic));
  Record(stage, duration, std::nullopt);
}

void CandidateLadder::Adopt(Candidate probed) {
  Stop();
  current_ = probed.stage;
  if (probed.status == CandidateStatus::kRejected && !first_failed_) first_failed_ = probed.stage;
  std::move(probed.stages.begin(), probed.stages.end(), std::back_inserter(candidate_.stages));
  std::move(probed.diagnostics.begin(), probed.diagnostics.end(),
            std::back_inserter(candidate_.diagnostics));
  candidate_.intrusions = std::move(probed.intrusions);
  candidate_.changed_state = std::move(probed.changed_state);
  if (probed.identity) candidate_.identity = std::move(probed.identity);
}

void CandidateLadder::ForgetFrom(Stage stage) {
  auto& stages = candidate_.stages;
  stages.erase(std::remove_if(stages.begin(), stages.end(),
                              [&](const StageRecord& record) { return record.stage >= stage; }),
               stages.end());
}

void CandidateLadder::Report(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::kError) {
    has_current_failed_ = true;
    if (!first_failed_) first_failed_ = current_;
  }
  if (Diagnostic* known = FindKnown(diagnostic)) {
    known->severity = std::max(known->severity, diagnostic.severity);
  } else {
    candidate_.diagnostics.push_back(std::move(diagnostic));
  }
}

/// Code that runs here shows again what a process of its own found, and may show what was only
/// expected.
Diagnostic* CandidateLadder::FindKnown(const Diagnostic& diagnostic) {
  auto& known = candidate_.diagnostics;
  const auto found = std::find_if(known.begin(), known.end(), [&](const Diagnostic& other) {
    return other.code == diagnostic.code && other.what == diagnostic.what &&
           other.why == diagnostic.why;
  });
  return found != known.end() ? &*found : nullptr;
}

void CandidateLadder::FailWithoutReason() {
  has_current_failed_ = true;
}

bool CandidateLadder::HasRun(Stage stage) const {
  return std::any_of(candidate_.stages.begin(), candidate_.stages.end(),
                     [&](const StageRecord& record) { return record.stage == stage; });
}

void CandidateLadder::Finish(CandidateStatus status_when_passed) {
  Stop();
  candidate_.stage = first_failed_.value_or(current_);
  candidate_.status = first_failed_ ? CandidateStatus::kRejected : status_when_passed;
}

void CandidateLadder::Record(Stage stage, std::chrono::nanoseconds duration,
                             std::optional<StageSpan> span) {
  auto& stages = candidate_.stages;
  const auto again = std::find_if(stages.begin(), stages.end(),
                                  [&](const StageRecord& record) { return record.stage == stage; });
  if (again == stages.end()) {
    stages.push_back({stage, duration, has_current_failed_});
    if (span) stages.back().in_this_process.push_back(*span);
  } else {
    again->duration += duration;
    if (span) again->in_this_process.push_back(*span);
    again->has_failed = again->has_failed || has_current_failed_;
  }
  has_current_failed_ = false;
}

}  // namespace backplane::probing
