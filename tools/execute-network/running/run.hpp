#pragma once

#include "command_line/watched_process.hpp"
#include "options/options.hpp"
#include "report/report.hpp"

namespace backplane::execute_network {

/// Does what the options ask for in this process: loads, runs, compares, writes outputs. What came
/// of it until then is in the report when it fails, too.
/// Errors: DiagnosticException for all that keeps it from coming to a verdict.
void RunModel(const Options& options, command_line::WatchedProcess& process, Report& report);

}  // namespace backplane::execute_network
