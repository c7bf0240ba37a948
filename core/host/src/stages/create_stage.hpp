#pragma once

#include "creation/try_backend.hpp"
#include "stages/candidate_ladder.hpp"

#include <backplane/host/dynamic_backend.hpp>

namespace backplane::stages {

/// What came of the stage "create".
struct CreateOutcome {
  CandidateStatus status_when_passed = CandidateStatus::kRejected;  // unless an error was reported
  LoadedContext context;
};

/// Makes the backend and its context, and asks it. What it says is written into the candidate,
/// whose identity is known; what is wrong is in the ladder.
CreateOutcome RunCreateStage(const DynamicBackend& backend, creation::Questions questions,
                             const ContextSettings& settings, Candidate& candidate,
                             CandidateLadder& ladder);

}  // namespace backplane::stages
