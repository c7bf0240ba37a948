#include "scanning/scan_plan.hpp"

#include "diagnostics/file_words.hpp"
#include "files/backend_file_name.hpp"
#include "files/canonical_path.hpp"
#include "files/list_directory.hpp"
#include "files/search_path.hpp"
#include "scanning/level_directory.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace backplane::scanning {
namespace {

Candidate MakeSkipped(const files::DirectoryEntry& entry) {
  Candidate candidate;
  candidate.path = entry.path;
  candidate.status = CandidateStatus::kSkipped;
  Diagnostic diagnostic = files::DescribeInvalidFileName(entry.path, entry.file_name);
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
    const std::string file_name = diagnostics::GetFileName(path);
    PlannedFile file{path, "", std::nullopt};
    if (!files::ParseBackendFileName(file_name)) {
      file.name_fault = files::DescribeInvalidFileName(path, file_name);
    }
    PlannedFamily& family = plan_.steps.emplace_back().family;
    if (const auto name = files::ParseBackendFileName(file_name)) SetName(*name, family);
    family.search_path = num_search_paths_++;
    family.files.push_back(std::move(file));
  }

  static void SetName(const files::BackendFileName& name, PlannedFamily& family) {
    family.name = name.family;
    family.vendor = name.vendor;
  }

  void PlanSearchPath(const SearchPath& path) {
    SearchPathReport report{path.path, path.source, false, {}, path.origin};
    if (auto fault = files::CheckSearchPath(path.path)) {
      report.diagnostics.push_back(std::move(*fault));
    } else {
      report.is_scanned = true;
      if (IsNewWay(path.path)) PlanLevels(PlanDirectory(path.path, 0, report), report);
    }
    for (Diagnostic& diagnostic : report.diagnostics) NameOrigin(path, diagnostic);
    ++num_search_paths_;
    plan_.search_paths.push_back(std::move(report));
  }

  /// False: it was listed by this path before, or by the one without links: who can change that one
  /// can change the end of every other, so that nothing is gained by going there again.
  bool IsNewWay(const std::string& directory) {
    return listed_.count(files::GetCanonicalPath(directory)) == 0 &&
           listed_.insert(directory).second;
  }

  /// Returns the directories in it that are for processors of some level.
  std::vector<LevelDirectory> PlanDirectory(const std::string& directory, unsigned cpu_level,
                                            SearchPathReport& report) {
    files::DirectoryListing listing = files::ListDirectory(directory);
    if (listing.failure) report.diagnostics.push_back(std::move(*listing.failure));
    plan_.steps.reserve(plan_.steps.size() + listing.entries.size());
    std::vector<LevelDirectory> levels;
    const std::string* family = nullptr;
    for (files::DirectoryEntry& entry : listing.entries) {
      if (!entry.name && cpu_level == 0) {
        if (auto level = FindLevelDirectory(entry.path, entry.file_name)) {
          levels.push_back(std::move(*level));
          continue;
        }
      }
      if (may_repeat_ && !planned_.insert(entry.path).second) continue;
      if (!entry.name) {
        plan_.steps.emplace_back().skipped = std::make_unique<Candidate>(MakeSkipped(entry));
        continue;
      }
      if (family == nullptr || entry.name->family != *family) {
        PlannedFamily& begun = plan_.steps.emplace_back().family;
        SetName(*entry.name, begun);
        begun.search_path = num_search_paths_;
        family = &entry.name->family;
      }
      plan_.steps.back().family.files.push_back(
          {std::move(entry.path), std::move(entry.direct_path), std::nullopt, cpu_level});
    }
    return levels;
  }

  /// The highest level first. What this processor does not have is told.
  void PlanLevels(std::vector<LevelDirectory> levels, SearchPathReport& report) {
    std::sort(levels.begin(), levels.end(),
              [](const auto& a, const auto& b) { return a.level > b.level; });
    for (LevelDirectory& level : levels) {
      if (level.why_left_out) {
        report.diagnostics.push_back(std::move(*level.why_left_out));
      } else if (auto fault = files::CheckSearchPath(level.path)) {
        report.diagnostics.push_back(std::move(*fault));
      } else {
        PlanDirectory(level.path, level.level, report);
      }
    }
  }

  ScanPlan plan_;
  std::unordered_set<std::string> planned_;
  std::unordered_set<std::string> listed_;  // directories, as they were given
  std::size_t num_search_paths_ = 0;        // that were planned, and files named explicitly
  bool may_repeat_;                         // a path can be reached twice
};

}  // namespace

bool SearchesConfiguredPaths(const ScanOptions& options) {
  return options.search_paths.empty() && options.files.empty();
}

ScanPlan PlanScan(const ScanOptions& options) {
  return Planner(options).Take();
}

}  // namespace backplane::scanning
