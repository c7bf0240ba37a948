#pragma once

#include "inspection/manifest.hpp"

#include <backplane/host/configuration.hpp>
#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::scanning {

/// The error of a file that a list calls bad. Null: without `manifest` only its digest counts. The
/// file is read only when there are digests in the list.
std::optional<Diagnostic> CheckKnownBad(const std::vector<KnownBadBackend>& known_bad,
                                        const std::string& path, int descriptor,
                                        const std::optional<inspection::Manifest>& manifest);

}  // namespace backplane::scanning
