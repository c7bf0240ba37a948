#pragma once

#include "command_line/watched_process.hpp"
#include "options/options.hpp"
#include "report/report.hpp"
#include "running/run_guard.hpp"

namespace backplane::execute_network {

/// Does what the options ask for in this process: loads, runs, compares, writes outputs. What came
/// of it until then is in the report when it fails, too. When a run does not come back in time,
/// `give_up` is called on another thread, and must not return.
/// Errors: DiagnosticException for all that keeps it from coming to a verdict.
void RunModel(const Options& options, command_line::WatchedProcess& process,
              const RunGuard::GiveUp& give_up, Report& report);

}  // namespace backplane::execute_network
