#pragma once

#include "command_line/terminal.hpp"
#include "options.hpp"

#include <backplane/host/load_report.hpp>

#include <string>
#include <vector>

namespace backplane::list_backends {

/// Every candidate on a line, with what is wrong below those that cannot be used, then the search
/// paths that could not be scanned, a summary, and where the codes shown are described. When
/// nothing was found: what was looked at, what sets that, and what a file must be called; the first
/// also with kShow. `files`: those that were asked for by their paths.
std::string ShowTable(const LoadReport& report, const std::vector<std::string>& files,
                      SkippedFiles skipped_files, const command_line::Terminal& terminal);

/// How a status is coloured.
command_line::Colour GetStatusColour(CandidateStatus status);

/// "1.0", or "-" when the version is not known.
std::string GetApiVersionText(const Candidate& candidate);

/// The id, escaped, or "-" when it is not known.
std::string GetBackendIdText(const Candidate& candidate);

}  // namespace backplane::list_backends
