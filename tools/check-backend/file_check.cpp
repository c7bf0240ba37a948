#include "file_check.hpp"

#include <backplane/host/scan.hpp>

#include <utility>

namespace backplane::check_backend {
namespace {

Finding MakeFinding(const Diagnostic& diagnostic) {
  return {0, "loads the file as list-backends does", ToText(diagnostic),
          diagnostic.severity == Severity::kError ? "that it loads" : "nothing to remark"};
}

RuleResult MakeResult(const char* id) {
  RuleResult result;
  result.rule = FindRule(id);
  result.num_cases = 1;
  return result;
}

void Add(RuleResult& result, Finding finding) {
  result.findings.push_back(std::move(finding));
  ++result.num_findings;
}

Candidate Load(const Options& options) {
  ScanOptions request;
  request.files = {options.file};
  request.probe = ProbeMode::kChild;
  request.probe_settings.verdicts = VerdictUse::kIgnore;
  request.probe_settings.timeout = std::chrono::seconds(options.timeout_seconds);
  request.dependencies = DependencyCheck::kAlways;
  request.facts = FactDetail::kAll;
  LoadReport report = Scan(request);
  return std::move(report.candidates.at(0));
}

RuleResult CheckLoads(const Candidate& candidate) {
  RuleResult result = MakeResult("BC0101");
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.severity == Severity::kError) Add(result, MakeFinding(diagnostic));
  }
  return result;
}

RuleResult CheckRemarks(const Candidate& candidate) {
  RuleResult result = MakeResult("BC0102");
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.severity == Severity::kWarning) Add(result, MakeFinding(diagnostic));
  }
  return result;
}

}  // namespace

FileCheck CheckFile(const Options& options) {
  FileCheck check;
  check.candidate = Load(options);
  check.results.push_back(CheckLoads(check.candidate));
  check.results.push_back(CheckRemarks(check.candidate));
  return check;
}

bool IsUsable(const Candidate& candidate) {
  return candidate.status == CandidateStatus::kLoaded;
}

}  // namespace backplane::check_backend
