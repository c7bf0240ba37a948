#pragma once

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/scan.hpp>

namespace backplane::scanning {

/// Tells of each rule that disables, isolates or sandboxes backends, or refuses their permissions,
/// and that means none of those that a scan found: the backend that was meant may run without it.
/// A note when the backend may just not be installed, else a warning among those of the
/// configuration; under the policy kStrict an error of the report itself.
void CheckRules(const ScanOptions& options, const BackendRegistry& registry, LoadReport& report);

}  // namespace backplane::scanning
