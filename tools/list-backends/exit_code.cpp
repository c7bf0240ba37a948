#include "exit_code.hpp"

#include <algorithm>
#include <iterator>

namespace backplane::list_backends {
namespace {

bool IsNotFound(const Candidate& candidate) {
  return std::any_of(candidate.diagnostics.begin(), candidate.diagnostics.end(),
                     [](const Diagnostic& diagnostic) {
                       return diagnostic.code == DiagnosticCode::kFileNotFound;
                     });
}

bool IsPathMissing(const LoadReport& report) {
  const bool is_directory_missing = std::any_of(
      report.search_paths.begin(), report.search_paths.end(), [](const SearchPathReport& path) {
        return path.source == PathSource::kArgument && !path.is_scanned;
      });
  return is_directory_missing ||
         std::any_of(report.candidates.begin(), report.candidates.end(), IsNotFound);
}

void AddWarnings(const std::vector<Diagnostic>& diagnostics, std::vector<Diagnostic>& warnings) {
  std::copy_if(
      diagnostics.begin(), diagnostics.end(), std::back_inserter(warnings),
      [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::kWarning; });
}

}  // namespace

std::vector<Diagnostic> CollectWarnings(const LoadReport& report) {
  std::vector<Diagnostic> warnings;
  AddWarnings(report.configuration.diagnostics, warnings);
  for (const SearchPathReport& path : report.search_paths) AddWarnings(path.diagnostics, warnings);
  for (const Candidate& candidate : report.candidates) {
    if (candidate.status == CandidateStatus::kSkipped) continue;
    AddWarnings(candidate.diagnostics, warnings);
  }
  AddWarnings(report.diagnostics, warnings);
  if (report.joint_run) AddWarnings(report.joint_run->diagnostics, warnings);
  return warnings;
}

int GetExitCode(const LoadReport& report) {
  const std::size_t usable = CountCandidates(report, CandidateStatus::kLoaded) +
                             CountCandidates(report, CandidateStatus::kInspected);
  const bool is_pin_unmet = !report.diagnostics.empty();
  if (usable == 0 || is_pin_unmet || IsPathMissing(report)) return kExitNoneUsable;
  return CountCandidates(report, CandidateStatus::kRejected) > 0 ? kExitSomeRejected : kExitUsable;
}

}  // namespace backplane::list_backends
