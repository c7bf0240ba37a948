#include "stages/company_check.hpp"

#include <utility>

namespace backplane::stages {

void ReportClashes(company::Company& company, std::shared_ptr<const company::FileAccount> account,
                   const struct stat& status, Candidate& candidate, CandidateLadder& ladder) {
  const company::FileIdentity identity{status.st_dev, status.st_ino};
  for (Diagnostic& diagnostic : company.Judge(candidate, std::move(account), identity)) {
    ladder.Report(std::move(diagnostic));
  }
}

std::unique_ptr<company::PendingOpening> ReportClashesToOpen(
    company::Company& company, std::shared_ptr<const company::FileAccount> account,
    const struct stat& status, Candidate& candidate, CandidateLadder& ladder) {
  auto opening = std::make_unique<company::PendingOpening>(
      company::OpeningFile{candidate.path, std::move(account), {status.st_dev, status.st_ino}});
  for (Diagnostic& diagnostic : company.JudgeToOpen(candidate, *opening)) {
    ladder.Report(std::move(diagnostic));
  }
  return opening;
}

}  // namespace backplane::stages
