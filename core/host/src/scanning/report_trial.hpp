#pragma once

#include "creation/try_backend.hpp"
#include "scanning/candidate_ladder.hpp"

namespace backplane::scanning {

/// Writes what came of making a backend into its candidate, whose identity is known. Takes all of
/// the trial but the context.
/// Returns the status that the candidate has unless an error was reported.
CandidateStatus ReportTrial(creation::Trial& trial, Candidate& candidate, CandidateLadder& ladder);

}  // namespace backplane::scanning
