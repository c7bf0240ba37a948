#include "exit_code.hpp"

#include <algorithm>

namespace backplane::list_backends {
namespace {

bool IsPathMissing(const LoadReport& report) {
  const bool is_directory_missing = std::any_of(
      report.search_paths.begin(), report.search_paths.end(), [](const SearchPathReport& path) {
        return path.source == PathSource::kArgument && !path.is_scanned;
      });
  const bool is_file_missing = std::any_of(
      report.candidates.begin(), report.candidates.end(), [](const Candidate& candidate) {
        const Diagnostic* headline = GetHeadline(candidate);
        return headline != nullptr && headline->code == DiagnosticCode::kFileNotFound;
      });
  return is_directory_missing || is_file_missing;
}

}  // namespace

int GetExitCode(const LoadReport& report) {
  const std::size_t usable = CountCandidates(report, CandidateStatus::kLoaded) +
                             CountCandidates(report, CandidateStatus::kInspected);
  if (usable == 0 || IsPathMissing(report)) return kExitNoneUsable;
  return CountCandidates(report, CandidateStatus::kRejected) > 0 ? kExitSomeRejected : kExitUsable;
}

}  // namespace backplane::list_backends
