#include "exit_code.hpp"

#include <algorithm>

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

}  // namespace

int GetExitCode(const LoadReport& report) {
  const std::size_t usable = CountCandidates(report, CandidateStatus::kLoaded) +
                             CountCandidates(report, CandidateStatus::kInspected);
  const bool is_pin_unmet = !report.diagnostics.empty();
  if (usable == 0 || is_pin_unmet || IsPathMissing(report)) return kExitNoneUsable;
  return CountCandidates(report, CandidateStatus::kRejected) > 0 ? kExitSomeRejected : kExitUsable;
}

}  // namespace backplane::list_backends
