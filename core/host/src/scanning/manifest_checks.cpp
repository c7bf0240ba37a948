#include "scanning/manifest_checks.hpp"

#include <backplane/host/backend_registry.hpp>

namespace backplane::scanning {
namespace {

Diagnostic Describe(const std::string& path, std::string what, std::string why) {
  Diagnostic diagnostic{DiagnosticCode::kManifestDisagrees};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = std::move(what);
  diagnostic.why = std::move(why);
  diagnostic.fix = "the backend's vendor must state the same in both";
  return diagnostic;
}

}  // namespace

std::optional<BackendIdentity> GetInspectedIdentity(const inspection::InspectedFile& file) {
  if (!file.manifest || !file.note) return std::nullopt;
  BackendIdentity identity;
  identity.id = file.manifest->id;
  identity.api_version = {file.note->api_major, file.note->api_minor};
  AddManifest(*file.manifest, identity);
  return identity;
}

void AddManifest(const inspection::Manifest& manifest, BackendIdentity& identity) {
  identity.vendor = manifest.vendor;
  identity.version = manifest.version;
  identity.license = manifest.license;
  identity.rank = manifest.rank;
}

std::optional<Diagnostic> CompareId(const inspection::Manifest& manifest, const std::string& id,
                                    const std::string& path) {
  if (manifest.id == id) return std::nullopt;
  return Describe(
      path, "the manifest of " + path + " names another backend than its code",
      "the manifest states the id \"" + manifest.id + "\", GetBackendId returned \"" + id + "\"");
}

std::optional<Diagnostic> CompareRank(const inspection::Manifest& manifest,
                                      const BackendCapabilities& capabilities,
                                      const std::string& path) {
  const std::int64_t rank = GetRank(capabilities);
  if (!manifest.rank || *manifest.rank == rank) return std::nullopt;
  Diagnostic diagnostic =
      Describe(path, "the manifest of " + path + " states another rank than its code",
               "the manifest states the rank " + std::to_string(*manifest.rank) +
                   ", the capabilities state " + std::to_string(rank));
  diagnostic.severity = Severity::kWarning;
  return diagnostic;
}

}  // namespace backplane::scanning
