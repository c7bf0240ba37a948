#include "scanning/scan_plan.hpp"

#include "discovery/backend_file_name.hpp"
#include "discovery/list_directory.hpp"
#include "discovery/search_path.hpp"
#include "inspection/file_words.hpp"

#include <unordered_set>
#include <utility>

namespace backplane::scanning {
namespace {

Candidate MakeSkipped(const discovery::DirectoryEntry& entry) {
  Candidate candidate;
  candidate.path = entry.path;
  candidate.status = CandidateStatus::kSkipped;
  Diagnostic diagnostic = discovery::DescribeInvalidFileName(entry.path, entry.file_name);
  diagnostic.severity = Severity::kNote;
  candidate.diagnostics.push_back(std::move(diagnostic));
  return candidate;
}

/// Says what set a path with which something is wrong. Most users have no directory of their own,
/// and who searches it for all of them does not mind.
void NameOrigin(const SearchPath& path, Diagnostic& diagnostic) {
  if (!path.origin.empty()) diagnostic.why += "; " + path.origin + " names it";
  const bool is_missing = diagnostic.code == DiagnosticCode::kSearchPathNotFound;
  if (path.source == PathSource::kUser && is_missing) diagnostic.severity = Severity::kNote;
}

const std::vector<SearchPath>& GetSearchPaths(const ScanOptions& options) {
  return SearchesConfiguredPaths(options) ? options.configuration.search_paths
                                          : options.search_paths;
}

/// Puts together what is looked at; each path once.
class Planner {
 public:
  explicit Planner(const ScanOptions& options)
      : may_repeat_(!options.files.empty() || GetSearchPaths(options).size() > 1) {
    for (const std::string& file : options.files) PlanFile(file);
    for (const SearchPath& path : GetSearchPaths(options)) PlanSearchPath(path);
  }

  ScanPlan Take() { return std::move(plan_); }

 private:
  void PlanFile(const std::string& path) {
    if (!planned_.insert(path).second) return;
    const std::string file_name = inspection::GetFileName(path);
    PlannedFile file{path, "", std::nullopt};
    if (!discovery::ParseBackendFileName(file_name)) {
      file.name_fault = discovery::DescribeInvalidFileName(path, file_name);
    }
    plan_.steps.emplace_back().family.files.push_back(std::move(file));
  }

  void PlanSearchPath(const SearchPath& path) {
    SearchPathReport report{path.path, path.source, false, {}, path.origin};
    if (auto fault = discovery::CheckSearchPath(path.path)) {
      report.diagnostics.push_back(std::move(*fault));
    } else {
      report.is_scanned = true;
      PlanDirectory(path.path, report);
    }
    for (Diagnostic& diagnostic : report.diagnostics) NameOrigin(path, diagnostic);
    plan_.search_paths.push_back(std::move(report));
  }

  void PlanDirectory(const std::string& directory, SearchPathReport& report) {
    discovery::DirectoryListing listing = discovery::ListDirectory(directory);
    if (listing.failure) report.diagnostics.push_back(std::move(*listing.failure));
    plan_.steps.reserve(plan_.steps.size() + listing.entries.size());
    const std::string* family = nullptr;
    for (discovery::DirectoryEntry& entry : listing.entries) {
      if (may_repeat_ && !planned_.insert(entry.path).second) continue;
      if (!entry.name) {
        plan_.steps.emplace_back().skipped = MakeSkipped(entry);
        continue;
      }
      if (family == nullptr || entry.name->family != *family) {
        plan_.steps.emplace_back();
        family = &entry.name->family;
      }
      plan_.steps.back().family.files.push_back(
          {std::move(entry.path), std::move(entry.direct_path), std::nullopt});
    }
  }

  ScanPlan plan_;
  std::unordered_set<std::string> planned_;
  bool may_repeat_;  // a path can be reached twice
};

}  // namespace

bool SearchesConfiguredPaths(const ScanOptions& options) {
  return options.search_paths.empty() && options.files.empty();
}

ScanPlan PlanScan(const ScanOptions& options) {
  return Planner(options).Take();
}

}  // namespace backplane::scanning
