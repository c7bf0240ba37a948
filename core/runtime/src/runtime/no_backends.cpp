#include "runtime/no_backends.hpp"

#include <algorithm>
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
  AddCauses(report.configuration.diagnostics, diagnostic.causes);
  for (const SearchPathReport& path : report.search_paths) {
    AddCauses(path.diagnostics, diagnostic.causes);
  }
  for (const Candidate& candidate : report.candidates) {
    AddCauses(candidate.diagnostics, diagnostic.causes);
  }
  AddCauses(reasons, diagnostic.causes);
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace backplane
