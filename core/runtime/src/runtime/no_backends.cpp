#include "runtime/late_report.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace backplane {

namespace {

std::string DescribeWhereLooked(const LoadReport& report) {
  if (report.search_paths.empty()) {
    return "no directory was searched: dynamic_backends_path is empty, and neither variables nor "
           "drop-in files nor the list compiled in as DYNAMIC_BACKEND_PATHS name one";
  }
  std::string text = "looked in ";
  for (const SearchPathReport& path : report.search_paths) {
    if (&path != &report.search_paths.front()) text += ", ";
    text += DescribeSearchPath(path);
  }
  return text;
}

std::string CountFound(const LoadReport& report) {
  return "found " + std::to_string(report.candidates.size()) + " files, of which " +
         std::to_string(CountCandidates(report, CandidateStatus::kRejected)) + " were rejected, " +
         std::to_string(CountCandidates(report, CandidateStatus::kUnavailable)) +
         " are unavailable and " +
         std::to_string(CountCandidates(report, CandidateStatus::kSkipped)) +
         " were skipped; expected at least one usable backend";
}

std::vector<Diagnostic> FindDisabled(const LoadReport& report,
                                     const std::vector<Diagnostic>& reasons) {
  std::vector<Diagnostic> disabled;
  const auto add = [&](const std::vector<Diagnostic>& diagnostics) {
    std::copy_if(diagnostics.begin(), diagnostics.end(), std::back_inserter(disabled),
                 [](const Diagnostic& diagnostic) {
                   return diagnostic.code == DiagnosticCode::kBackendDisabled;
                 });
  };
  for (const Candidate& candidate : report.candidates) add(candidate.diagnostics);
  add(reasons);
  return disabled;
}

void AddCauses(const std::vector<Diagnostic>& diagnostics, std::vector<Diagnostic>& causes) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::kNote) continue;
    const bool is_known = std::any_of(causes.begin(), causes.end(), [&](const Diagnostic& cause) {
      return ToText(cause) == ToText(diagnostic);
    });
    if (!is_known) causes.push_back(diagnostic);
  }
}

}  // namespace

void ThrowNoBackends(const LoadReport& report, const std::vector<Diagnostic>& reasons) {
  Diagnostic diagnostic{DiagnosticCode::kNoBackends};
  diagnostic.what = "there is no usable backend";
  diagnostic.why = DescribeWhereLooked(report) + "; " + CountFound(report);
  diagnostic.fix =
      "put a backend named <vendor>_<name>_backend.so into one of these directories, set "
      "CreationOptions::dynamic_backends_path or BACKPLANE_BACKENDS_PATH, or link a backend "
      "statically; list-backends explains each file";
  const std::vector<Diagnostic> disabled = FindDisabled(report, reasons);
  const bool is_all_disabled = !disabled.empty() && reasons.size() <= disabled.size() &&
                               CountCandidates(report, CandidateStatus::kRejected) == 0 &&
                               CountCandidates(report, CandidateStatus::kUnavailable) == 0;
  if (is_all_disabled) {
    diagnostic.what = "every backend is disabled";
    diagnostic.why = DescribeWhereLooked(report) + "; found " + std::to_string(disabled.size()) +
                     ", all disabled; expected at least one that is not";
    diagnostic.fix = "take a backend out of where it is disabled, as the causes say";
  }
  AddCauses(report.configuration.diagnostics, diagnostic.causes);
  for (const SearchPathReport& path : report.search_paths) {
    AddCauses(path.diagnostics, diagnostic.causes);
  }
  for (const Candidate& candidate : report.candidates) {
    AddCauses(candidate.diagnostics, diagnostic.causes);
  }
  AddCauses(reasons, diagnostic.causes);
  diagnostic.causes.insert(diagnostic.causes.end(), disabled.begin(), disabled.end());
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace backplane
