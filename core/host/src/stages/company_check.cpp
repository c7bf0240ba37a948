#include "stages/company_check.hpp"

#include <utility>

namespace backplane::stages {

void ReportClashes(company::Company& company, std::shared_ptr<const company::FileAccount> account,
                   const struct stat& status, Candidate& candidate, CandidateLadder& ladder) {
  for (Diagnostic& diagnostic :
       company.Judge(candidate, std::move(account), company::GetFileIdentity(status))) {
    ladder.Report(std::move(diagnostic));
  }
}

std::unique_ptr<company::PendingOpening> ReportClashesToOpen(
    company::Company& company, std::shared_ptr<const company::FileAccount> account,
    const struct stat& status, Candidate& candidate, CandidateLadder& ladder) {
  auto opening = std::make_unique<company::PendingOpening>(
      company::OpeningFile{candidate.path, std::move(account), company::GetFileIdentity(status)});
  for (Diagnostic& diagnostic : company.JudgeToOpen(candidate, *opening)) {
    ladder.Report(std::move(diagnostic));
  }
  return opening;
}

}  // namespace backplane::stages
