#pragma once

#include "probing/candidate_ladder.hpp"

#include <backplane/host/load_report.hpp>
#include <backplane/host/scan.hpp>

namespace backplane::probing {

/// Behind the stage "create" of a backend that passed it in another process: reports that this
/// process may not open it for what it did there. Does nothing when that is allowed.
void CheckIntrusions(IntrusiveBackends policy, const Candidate& candidate, CandidateLadder& ladder);

}  // namespace backplane::probing
