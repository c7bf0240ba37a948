#pragma once

#include "command_line/terminal.hpp"

#include <backplane/host/load_report.hpp>

#include <string>
#include <vector>

namespace backplane::list_backends {

/// One candidate in full: what it says of itself, every stage with its outcome and how long it
/// took, and every diagnostic with its causes. `search_paths`: those of the report, one of which
/// may have led to it.
std::string ShowLadder(const Candidate& candidate,
                       const std::vector<SearchPathReport>& search_paths,
                       const command_line::Terminal& terminal);

/// The files of each id that several give, in the order in which they are tried, with what decides
/// of those that the report has. "" when there are none.
std::string ShowVariants(const LoadReport& report, const command_line::Terminal& terminal);

}  // namespace backplane::list_backends
