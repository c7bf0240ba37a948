#include "report/report.hpp"

#include <backplane/host/shell_word.hpp>

namespace backplane::check_backend {

const char* GetVerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kKept:
      return "kept";
    case Verdict::kAdvised:
      return "advised";
    case Verdict::kBroken:
      return "broken";
    case Verdict::kNotChecked:
      return "not checked";
  }
  return "";
}

Outcome GetOutcome(const RuleResult& result) {
  if (result.num_findings > 0) return Outcome::kBroken;
  return result.skipped.empty() ? Outcome::kKept : Outcome::kSkipped;
}

Verdict GetVerdict(const Report& report) {
  Verdict verdict = Verdict::kKept;
  const CandidateStatus status = report.candidate.status;
  if (status != CandidateStatus::kLoaded && status != CandidateStatus::kInspected) {
    return Verdict::kNotChecked;
  }
  for (const RuleResult& result : report.results) {
    if (GetOutcome(result) != Outcome::kBroken) continue;
    if (result.rule->kind == RuleKind::kMust) return Verdict::kBroken;
    verdict = Verdict::kAdvised;
  }
  return verdict;
}

std::string WriteRepetition(const Report& report, const RuleResult& result,
                            const Finding* finding) {
  std::string text = "check-backend " + QuoteForShell(report.candidate.path) + " --rule " +
                     GetRuleId(*result.rule);
  if (result.rule->check == nullptr) return text;
  text += " --seed " + std::to_string(report.seed);
  if (report.is_quick) text += " --quick";
  if (finding != nullptr) text += " --case " + std::to_string(finding->case_index);
  return text;
}

}  // namespace backplane::check_backend
