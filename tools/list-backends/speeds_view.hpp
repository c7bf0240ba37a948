#pragma once

#include "command_line/terminal.hpp"

#include <backplane/host/load_report.hpp>

#include <string>

namespace backplane::list_backends {

/// For each id that was measured: the times of its files, the networks that do not run on all of
/// them, and a sentence on their rank. "" when nothing was.
std::string ShowSpeeds(const LoadReport& report, const command_line::Terminal& terminal);

}  // namespace backplane::list_backends
