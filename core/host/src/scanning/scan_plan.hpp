#pragma once

#include <backplane/host/scan.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::scanning {

/// The use that a scan makes of backends that pass.
enum class Admission {
  kOpen,       // opened in this process, and registered
  kLate,       // registered and, when their id is known without, opened here at first use
  kChildOnly,  // registered without being opened here: their code ran in a process of its own
  kFileOnly,   // nothing: only the files are looked at
};

/// One file that a scan will look at.
struct PlannedFile {
  std::string path;
  std::string direct_path;               // canonical unless it is a link; "" when not known
  std::optional<Diagnostic> name_fault;  // what is wrong with a name given explicitly
  unsigned cpu_level = 0;                // as of Candidate
};

/// The versions of one <vendor>_<name> in one directory, in the order in which they are tried.
struct PlannedFamily {
  std::vector<PlannedFile> files;
  std::string name;             // <vendor>_<name>; "" when the name is not that of a backend
  std::string vendor;           // its first part
  std::size_t search_path = 0;  // the place of its search path, or of the file named explicitly
};

/// Everything that a scan will look at, in order.
struct ScanPlan {
  std::vector<SearchPathReport> search_paths;
  /// A family of files, or one entry whose name is not that of a backend.
  struct Step {
    PlannedFamily family;
    std::unique_ptr<Candidate> skipped;  // null: a family
  };
  std::vector<Step> steps;
};

/// Whether the directories of the configuration are searched: when a scan is not told where to
/// look.
bool SearchesConfiguredPaths(const ScanOptions& options);

/// Lists the directories; opens no file.
ScanPlan PlanScan(const ScanOptions& options);

}  // namespace backplane::scanning
