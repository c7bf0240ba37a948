#include "probing/create_stage.hpp"

#include <utility>

namespace backplane::probing {
namespace {

CandidateStatus ReportTrial(backend::Trial& trial, Candidate& candidate, CandidateLadder& ladder) {
  for (Diagnostic& warning : trial.warnings) ladder.Report(std::move(warning));
  if (trial.failure) {
    const bool is_unavailable = IsUnavailability(*trial.failure);
    if (is_unavailable) trial.failure->severity = Severity::kWarning;
    ladder.Report(std::move(*trial.failure));
    return is_unavailable ? CandidateStatus::kUnavailable : CandidateStatus::kRejected;
  }
  candidate.identity->capabilities = std::move(trial.capabilities);
  candidate.identity->options = std::move(trial.option_schemas);
  candidate.identity->operators = std::move(trial.operators);
  candidate.identity->tensor_handle_factories = std::move(trial.tensor_handle_factories);
  return CandidateStatus::kLoaded;
}

}  // namespace

CreateOutcome RunCreateStage(const DynamicBackend& backend, backend::Questions questions,
                             const ContextSettings& settings, Candidate& candidate,
                             CandidateLadder& ladder) {
  ladder.Begin(Stage::kCreate);
  backend::TrialRequest request;
  request.questions = questions;
  request.context = &settings;
  request.observer = ladder.GetObserver();
  backend::Trial trial = backend::TryBackend(backend.GetRegistration(), request);
  CreateOutcome outcome;
  outcome.status_when_passed = ReportTrial(trial, candidate, ladder);
  outcome.context = std::move(trial.context);
  return outcome;
}

}  // namespace backplane::probing
