#include "probing/company_check.hpp"

#include <utility>

namespace backplane::probing {

void ReportClashes(conflicts::Company& company,
                   std::shared_ptr<const conflicts::FileAccount> account, const struct stat& status,
                   Candidate& candidate, CandidateLadder& ladder) {
  for (Diagnostic& diagnostic :
       company.Judge(candidate, std::move(account), conflicts::GetFileIdentity(status))) {
    ladder.Report(std::move(diagnostic));
  }
}

std::unique_ptr<conflicts::PendingOpening> ReportClashesToOpen(
    conflicts::Company& company, std::shared_ptr<const conflicts::FileAccount> account,
    const struct stat& status, Candidate& candidate, CandidateLadder& ladder) {
  auto opening = std::make_unique<conflicts::PendingOpening>(conflicts::OpeningFile{
      candidate.path, std::move(account), conflicts::GetFileIdentity(status)});
  for (Diagnostic& diagnostic : company.JudgeToOpen(candidate, *opening)) {
    ladder.Report(std::move(diagnostic));
  }
  return opening;
}

}  // namespace backplane::probing
