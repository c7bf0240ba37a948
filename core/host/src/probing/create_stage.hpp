#pragma once

#include "backend/try_backend.hpp"
#include "probing/candidate_ladder.hpp"

#include <backplane/host/dynamic_backend.hpp>

namespace backplane::probing {

/// The outcome of the stage "create".
struct CreateOutcome {
  CandidateStatus status_when_passed = CandidateStatus::kRejected;  // unless an error was reported
  LoadedContext context;
};

/// Makes the backend and its context, and asks it. What it says is written into the candidate,
/// whose identity is known; what is wrong is in the ladder.
CreateOutcome RunCreateStage(const DynamicBackend& backend, backend::Questions questions,
                             const ContextSettings& settings, Candidate& candidate,
                             CandidateLadder& ladder);

}  // namespace backplane::probing
