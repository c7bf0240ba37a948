#pragma once

#include "options/options.hpp"
#include "report/report.hpp"

namespace backplane::execute_network {

/// Does what the options ask for: loads, runs, compares, writes outputs.
/// Errors: DiagnosticException for all that keeps it from coming to a verdict.
Report RunModel(const Options& options);

}  // namespace backplane::execute_network
