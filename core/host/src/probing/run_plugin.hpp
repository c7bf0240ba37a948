#pragma once

#include "probing/probe_request.hpp"
#include "probing/shared_report.hpp"

namespace backplane::probing {

/// Opens a plugin, identifies it and creates its backend in this process, writes into the report
/// how far it came and what was found, and ends the process as programs end. For a process that
/// does nothing else: it may die.
[[noreturn]] void RunPlugin(const ProbeRequest& request, SharedReport& report);

}  // namespace backplane::probing
