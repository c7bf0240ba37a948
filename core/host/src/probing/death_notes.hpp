#pragma once

#include "probing/shared_report.hpp"

namespace backplane::probing {

/// Makes this process write into the report why it dies: of which fault, or of which exception that
/// nobody caught. For the process that runs a plugin; never for the host. The report must stay
/// mapped.
void LeaveDeathNotes(SharedReport& report);

}  // namespace backplane::probing
