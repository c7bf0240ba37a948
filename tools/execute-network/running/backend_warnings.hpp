#pragma once

#include <backplane/host/load_report.hpp>
#include <backplane/runtime/placement.hpp>

#include <vector>

namespace backplane::execute_network {

/// What the host warns of in the files of the backends that have layers of a plan.
std::vector<Diagnostic> CollectBackendWarnings(const LoadReport& report,
                                               const Placement& placement);

}  // namespace backplane::execute_network
