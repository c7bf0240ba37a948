#pragma once

#include "inspection/inspect_file.hpp"

#include <backplane/host/load_report.hpp>

#include <optional>
#include <string>

namespace backplane::scanning {

/// What a file says of itself before it is opened: nothing without a manifest and an ABI note.
std::optional<BackendIdentity> GetInspectedIdentity(const inspection::InspectedFile& file);

/// Adds to what the code says of itself what only the manifest knows.
void AddManifest(const inspection::Manifest& manifest, BackendIdentity& identity);

/// An error when the code gives another id.
std::optional<Diagnostic> CompareId(const inspection::Manifest& manifest, const std::string& id,
                                    const std::string& path);

/// A warning when the capabilities give another rank; the manifest may state none.
std::optional<Diagnostic> CompareRank(const inspection::Manifest& manifest,
                                      const BackendCapabilities& capabilities,
                                      const std::string& path);

}  // namespace backplane::scanning
