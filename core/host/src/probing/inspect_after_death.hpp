#pragma once

#include "probing/probe_request.hpp"
#include "probing/shared_report.hpp"

namespace backplane::probing {

/// Looks whether the libraries that a backend needs say why the loader died of it, for example
/// because one is cut short; writes what was found into the report, or nothing, and ends the
/// process. For a process that does nothing else: files that kill the loader may kill it too.
[[noreturn]] void InspectAfterDeath(const ProbeRequest& request, SharedReport& report);

}  // namespace backplane::probing
