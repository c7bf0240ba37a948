#pragma once

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/scan.hpp>

#include <vector>

namespace backplane::scanning {

/// Adds a warning for each preferred backend of which a scan knows nothing, and a note for each
/// that was found but cannot be used. Says nothing when the scan was told where to look, or to run
/// no code: then backends may be missing from it that are there.
void CheckPreferred(const ScanOptions& options, const BackendRegistry& registry,
                    std::vector<Diagnostic>& diagnostics);

}  // namespace backplane::scanning
