#pragma once

#include "probing/probe_request.hpp"
#include "probing/shared_report.hpp"

namespace backplane::probing {

/// Opens a plugin, identifies it and creates its backend in this process, and writes into the
/// report how far it came and what was found. For a process that does nothing else: it may die.
void RunPlugin(const ProbeRequest& request, SharedReport& report);

}  // namespace backplane::probing
