#pragma once

#include "probing/probe_request.hpp"
#include "probing/shared_report.hpp"

namespace backplane::probing {

/// Does what a program does with several backends: opens its libraries, opens each backend and
/// makes its context, until one fails; lets go of all of them, and ends the process as programs
/// end. What is reported is the backend that came last. For a process that does nothing else.
[[noreturn]] void RunTogether(const ProbeRequest& request, SharedReport& report);

}  // namespace backplane::probing
