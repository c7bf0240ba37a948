#pragma once

#include "company/company.hpp"
#include "stages/candidate_ladder.hpp"

#include <sys/stat.h>

#include <memory>

namespace backplane::stages {

/// In the stage "company", which was begun: reports what speaks against a file beside those of
/// `company`. Arguments as of Company::Judge; `status` is that of the file.
void ReportClashes(company::Company& company, std::shared_ptr<const company::FileAccount> account,
                   const struct stat& status, Candidate& candidate, CandidateLadder& ladder);

/// The same of a file that is opened next if nothing speaks against it, which is what is returned.
/// The caller keeps it until it is open, or was refused.
std::unique_ptr<company::PendingOpening> ReportClashesToOpen(
    company::Company& company, std::shared_ptr<const company::FileAccount> account,
    const struct stat& status, Candidate& candidate, CandidateLadder& ladder);

}  // namespace backplane::stages
