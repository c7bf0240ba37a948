#pragma once

#include "conflicts/company.hpp"
#include "probing/candidate_ladder.hpp"

#include <sys/stat.h>

#include <memory>

namespace backplane::probing {

/// In the stage "company", which was begun: reports what speaks against a file beside those of
/// `company`. Arguments as of Company::Judge; `status` is that of the file.
void ReportClashes(conflicts::Company& company,
                   std::shared_ptr<const conflicts::FileAccount> account, const struct stat& status,
                   Candidate& candidate, CandidateLadder& ladder);

/// The same of a file that is opened next if nothing speaks against it, which is what is returned.
/// The caller keeps it until it is open, or was refused.
std::unique_ptr<conflicts::PendingOpening> ReportClashesToOpen(
    conflicts::Company& company, std::shared_ptr<const conflicts::FileAccount> account,
    const struct stat& status, Candidate& candidate, CandidateLadder& ladder);

}  // namespace backplane::probing
