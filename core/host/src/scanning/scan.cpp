#include "discovery/backend_file_name.hpp"
#include "discovery/list_directory.hpp"
#include "discovery/search_path.hpp"
#include "opening/shared_library.hpp"
#include "scanning/candidate_examiner.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/scan.hpp>

#include <algorithm>
#include <utility>

namespace backplane {
namespace {

constexpr std::string_view kChannel = "discovery";

/// Whether a candidate stands for its family, so that other versions are not tried.
bool IsChosen(const Candidate& candidate) {
  return candidate.status == CandidateStatus::kLoaded ||
         candidate.status == CandidateStatus::kInspected ||
         candidate.status == CandidateStatus::kUnavailable;
}

Candidate MakeSkipped(const discovery::DirectoryEntry& entry) {
  Candidate candidate;
  candidate.path = entry.path;
  candidate.status = CandidateStatus::kSkipped;
  Diagnostic diagnostic = discovery::DescribeInvalidFileName(entry.path, entry.file_name);
  diagnostic.severity = Severity::kNote;
  candidate.diagnostics.push_back(std::move(diagnostic));
  return candidate;
}

bool IsReported(const LoadReport& report, const std::string& path) {
  return std::any_of(report.candidates.begin(), report.candidates.end(),
                     [&](const Candidate& candidate) { return candidate.path == path; });
}

/// Goes through the families of a directory; in each, stops at the first that can be used.
void ScanDirectory(const std::string& directory, scanning::CandidateExaminer& examiner,
                   LoadReport& report, SearchPathReport& path_report) {
  discovery::DirectoryListing listing = discovery::ListDirectory(directory);
  if (listing.failure) path_report.diagnostics.push_back(std::move(*listing.failure));
  const std::size_t num_files = report.candidates.size();  // what was named, or found elsewhere
  report.candidates.reserve(num_files + listing.entries.size());
  std::string family;
  std::string chosen;
  for (const discovery::DirectoryEntry& entry : listing.entries) {
    if (num_files != 0 && IsReported(report, entry.path)) continue;
    if (!entry.name) {
      report.candidates.push_back(MakeSkipped(entry));
      continue;
    }
    if (entry.name->family != family) {
      family = entry.name->family;
      chosen.clear();
    }
    if (!chosen.empty()) {
      report.candidates.push_back(examiner.ExamineShadowed(entry.path, entry.direct_path, chosen));
      continue;
    }
    report.candidates.push_back(examiner.Examine(entry.path, entry.direct_path, std::nullopt));
    if (IsChosen(report.candidates.back())) chosen = entry.path;
  }
}

void ScanFile(const std::string& path, scanning::CandidateExaminer& examiner, LoadReport& report) {
  if (IsReported(report, path)) return;
  const std::string file_name = path.substr(path.find_last_of('/') + 1);
  std::optional<Diagnostic> fault;
  if (!discovery::ParseBackendFileName(file_name)) {
    fault = discovery::DescribeInvalidFileName(path, file_name);
  }
  report.candidates.push_back(examiner.Examine(path, "", std::move(fault)));
}

void RememberUnusable(const LoadReport& report, BackendRegistry& registry) {
  for (const Candidate& candidate : report.candidates) {
    const Diagnostic* reason = GetHeadline(candidate);
    if (candidate.status == CandidateStatus::kSkipped && !candidate.diagnostics.empty() &&
        candidate.diagnostics.front().code == DiagnosticCode::kBackendDisabled) {
      reason = &candidate.diagnostics.front();
    }
    if (reason == nullptr) continue;
    if (candidate.identity) registry.RememberUnusable(candidate.identity->id, *reason);
    registry.RememberUnusableFile(candidate.path, *reason);
  }
}

void LogReport(const LoadReport& report) {
  if (!IsLogEnabled(kChannel, LogLevel::kDebug)) return;
  for (const Candidate& candidate : report.candidates) {
    Log(kChannel, LogLevel::kDebug,
        candidate.path + ": " + GetCandidateStatusName(candidate.status) + " at stage " +
            GetStageName(candidate.stage));
  }
}

}  // namespace

std::vector<SearchPath> GetCompiledInSearchPaths() {
  std::vector<SearchPath> paths;
  for (std::string& path :
       discovery::SplitPathList(DYNAMIC_BACKEND_PATHS, opening::GetOwnDirectory())) {
    paths.push_back({std::move(path), PathSource::kCompiledIn});
  }
  return paths;
}

LoadReport Scan(const ScanOptions& options) {
  BackendRegistry registry(BackendRegistry::GetProcessRegistry());
  return LoadBackends(options, registry);
}

LoadReport LoadBackends(const ScanOptions& options, BackendRegistry& registry,
                        std::vector<LoadedContext>* contexts) {
  LoadReport report;
  scanning::CandidateExaminer examiner(options, registry, contexts);
  for (const std::string& file : options.files) ScanFile(file, examiner, report);
  for (const SearchPath& path : options.search_paths) {
    SearchPathReport path_report{path.path, path.source, false, {}};
    if (auto fault = discovery::CheckSearchPath(path.path)) {
      path_report.diagnostics.push_back(std::move(*fault));
    } else {
      path_report.is_scanned = true;
      ScanDirectory(path.path, examiner, report, path_report);
    }
    report.search_paths.push_back(std::move(path_report));
  }
  RememberUnusable(report, registry);
  LogReport(report);
  return report;
}

}  // namespace backplane
