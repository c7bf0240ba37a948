#pragma once

#include "conflicts/conflict_judge.hpp"
#include "probing/candidate_ladder.hpp"

#include <sys/stat.h>

#include <memory>

namespace backplane::probing {

/// In the stage "company", which was begun: reports what speaks against a file beside those of
/// `judge`. Arguments as of ConflictJudge::Judge; `status` is that of the file.
void ReportClashes(conflicts::ConflictJudge& judge,
                   std::shared_ptr<const conflicts::FileAccount> account, const struct stat& status,
                   Candidate& candidate, CandidateLadder& ladder);

/// The same of a file that is opened next if nothing speaks against it, which is what is returned.
/// The caller keeps it until it is open, or was refused.
std::unique_ptr<conflicts::PendingOpening> ReportClashesToOpen(
    conflicts::ConflictJudge& judge, std::shared_ptr<const conflicts::FileAccount> account,
    const struct stat& status, Candidate& candidate, CandidateLadder& ladder);

}  // namespace backplane::probing
