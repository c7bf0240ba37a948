#include "scanning/report_trial.hpp"

#include <utility>

namespace backplane::scanning {

CandidateStatus ReportTrial(creation::Trial& trial, Candidate& candidate, CandidateLadder& ladder) {
  for (Diagnostic& warning : trial.warnings) ladder.Report(std::move(warning));
  if (trial.failure) {
    const bool is_unavailable = trial.failure->code == DiagnosticCode::kBackendUnavailable;
    if (is_unavailable) trial.failure->severity = Severity::kWarning;
    ladder.Report(std::move(*trial.failure));
    return is_unavailable ? CandidateStatus::kUnavailable : CandidateStatus::kRejected;
  }
  candidate.identity->capabilities = std::move(trial.capabilities);
  candidate.identity->options = std::move(trial.option_schemas);
  candidate.identity->tensor_handle_factories = std::move(trial.tensor_handle_factories);
  return CandidateStatus::kLoaded;
}

}  // namespace backplane::scanning
