#pragma once

#include "options.hpp"

#include <backplane/host/scan.hpp>

#include <string>
#include <vector>

namespace backplane::list_backends {

/// What to scan for these options: the paths given, or else those configured; and the file to
/// explain when it is one.
ScanOptions MakeScanRequest(const Options& options);

/// The candidates that `file_or_id` means: with this path, else with this backend id, else with
/// this file name or its <vendor>_<name>.
std::vector<Candidate> SelectCandidates(const LoadReport& report, const std::string& file_or_id);

/// Every id and file name of a report, to suggest from.
std::vector<std::string> GetSelectableNames(const LoadReport& report);

}  // namespace backplane::list_backends
