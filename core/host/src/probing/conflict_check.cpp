#include "probing/conflict_check.hpp"

#include <utility>

namespace backplane::probing {

void ReportClashes(conflicts::ConflictJudge& judge,
                   std::shared_ptr<const conflicts::FileAccount> account, const struct stat& status,
                   Candidate& candidate, CandidateLadder& ladder) {
  for (Diagnostic& diagnostic :
       judge.Judge(candidate, std::move(account), conflicts::GetFileIdentity(status))) {
    ladder.Report(std::move(diagnostic));
  }
}

std::unique_ptr<conflicts::PendingOpening> ReportClashesToOpen(
    conflicts::ConflictJudge& judge, std::shared_ptr<const conflicts::FileAccount> account,
    const struct stat& status, Candidate& candidate, CandidateLadder& ladder) {
  auto opening = std::make_unique<conflicts::PendingOpening>(conflicts::OpeningFile{
      candidate.path, std::move(account), conflicts::GetFileIdentity(status)});
  for (Diagnostic& diagnostic : judge.JudgeToOpen(candidate, *opening)) {
    ladder.Report(std::move(diagnostic));
  }
  return opening;
}

}  // namespace backplane::probing
