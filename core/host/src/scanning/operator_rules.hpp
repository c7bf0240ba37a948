#pragma once

/// Backends that operators exclude or prefer.

#include "inspection/manifest.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/configuration.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/scan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::scanning {

/// Which backends are not to be opened: ids, or globs of ids or of file names.
class DisabledBackends {
 public:
  /// Those without an origin are the caller's own.
  explicit DisabledBackends(std::vector<Setting> patterns) : patterns_(std::move(patterns)) {}

  /// The note for a file whose name fits a glob, or has the id as its name.
  std::optional<Diagnostic> CheckFile(const std::string& path, const std::string& file_name) const;

  /// The note for an id that is disabled.
  std::optional<Diagnostic> CheckId(const std::string& path, const std::string& id) const;

 private:
  std::vector<Setting> patterns_;
};

/// The error of a file that a list calls bad. Null: without `manifest` only its digest counts. The
/// file is read only when there are digests in the list.
std::optional<Diagnostic> CheckKnownBad(const std::vector<KnownBadBackend>& known_bad,
                                        const std::string& path, int descriptor,
                                        const std::optional<inspection::Manifest>& manifest);

/// Adds a warning for each preferred backend of which a scan knows nothing, and a note for each
/// that was found but cannot be used. Says nothing when the scan was told where to look, or to run
/// no code: then backends may be missing from it that are there.
void CheckPreferred(const ScanOptions& options, const BackendRegistry& registry,
                    std::vector<Diagnostic>& diagnostics);

/// Tells of each rule that disables, isolates or sandboxes backends, or refuses their permissions,
/// and that means none of those that a scan found: the backend that was meant may run without it.
/// A note when the backend may just not be installed, else a warning among those of the
/// configuration; under the policy kStrict an error of the report itself.
void CheckRules(const ScanOptions& options, const BackendRegistry& registry, LoadReport& report);

}  // namespace backplane::scanning
