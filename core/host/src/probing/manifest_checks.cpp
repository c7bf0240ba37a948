#include "probing/manifest_checks.hpp"

#include "diagnostics/file_words.hpp"

#include <backplane/host/backend_registry.hpp>

#include <algorithm>
#include <utility>

namespace backplane::probing {
namespace {

Diagnostic Describe(const std::string& path, std::string what, std::string why) {
  Diagnostic diagnostic{DiagnosticCode::kManifestDisagrees};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = std::move(what);
  diagnostic.why = std::move(why);
  diagnostic.fix = "the backend's vendor must state the same in both";
  return diagnostic;
}

/// "acme/Clamp/1" for "acme/Clamp/1-1": the code's declaration is written so.
std::string ShortenVersions(const std::string& name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string::npos) return name;
  const std::size_t slash = name.rfind('/');
  const bool is_one = slash != std::string::npos && slash < dash &&
                      name.substr(slash + 1, dash - slash - 1) == name.substr(dash + 1);
  return is_one ? name.substr(0, dash) : name;
}

void AddManifest(const inspection::Manifest& manifest, BackendIdentity& identity) {
  identity.vendor = manifest.vendor;
  identity.version = manifest.version;
  identity.license = manifest.license;
  identity.rank = manifest.rank;
  identity.cpu_features = manifest.cpu_features;
  identity.permissions = manifest.permissions;
  for (const std::string& name : manifest.operators) {
    identity.stated_operators.push_back(ShortenVersions(name));
  }
}

/// A backend that ran in another process before is looked at twice.
bool IsReported(const Candidate& candidate) {
  return std::any_of(candidate.diagnostics.begin(), candidate.diagnostics.end(),
                     [](const Diagnostic& diagnostic) {
                       return diagnostic.code == DiagnosticCode::kManifestDisagrees;
                     });
}

/// In its stage, which may lie behind.
void Report(Diagnostic diagnostic, Stage stage, CandidateLadder& ladder) {
  ladder.Begin(stage);
  ladder.Report(std::move(diagnostic));
  ladder.Stop();
}

}  // namespace

std::optional<BackendIdentity> GetInspectedIdentity(const inspection::InspectedFile& file) {
  if (!file.manifest || !file.note) return std::nullopt;
  BackendIdentity identity;
  identity.id = file.manifest->id;
  identity.api_version = {file.note->api_major, file.note->needs_minor};
  AddManifest(*file.manifest, identity);
  return identity;
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

std::optional<Diagnostic> CompareOperators(const BackendIdentity& identity,
                                           const std::string& path) {
  if (!identity.operators || identity.stated_operators.empty()) return std::nullopt;
  const auto list = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names.empty() ? "none" : diagnostics::JoinWithAnd(names);
  };
  const std::string stated = list(identity.stated_operators);
  const std::string declared = list(*identity.operators);
  if (stated == declared) return std::nullopt;
  Diagnostic diagnostic =
      Describe(path, "the manifest of " + path + " states other operators than its code",
               "the manifest states " + stated + ", the code declares " + declared);
  diagnostic.severity = Severity::kWarning;
  return diagnostic;
}

void CheckIdentity(const std::optional<inspection::Manifest>& manifest, Candidate& candidate,
                   CandidateLadder& ladder) {
  if (!manifest || !candidate.identity) return;
  AddManifest(*manifest, *candidate.identity);
  auto differs = CompareId(*manifest, candidate.identity->id, candidate.path);
  if (differs) Report(std::move(*differs), Stage::kIdentify, ladder);
}

void CheckSameId(const std::string& before, const Candidate& candidate, CandidateLadder& ladder) {
  if (!candidate.identity || candidate.identity->id == before) return;
  Report(diagnostics::DescribeFile(
             DiagnosticCode::kBackendIdDisagrees, candidate.path,
             "gives one id here and another elsewhere",
             "found \"" + candidate.identity->id + "\" here and \"" + before +
                 "\" in the process that checked it; expected that GetBackendId always returns the "
                 "same, because rules name backends by it",
             "the backend's vendor must return the same id in every process"),
         Stage::kIdentify, ladder);
}

void CheckCapabilities(const std::optional<inspection::Manifest>& manifest,
                       const Candidate& candidate, CandidateLadder& ladder) {
  if (!manifest || !candidate.identity || IsReported(candidate)) return;
  auto differs = CompareRank(*manifest, candidate.identity->capabilities, candidate.path);
  if (!differs) differs = CompareOperators(*candidate.identity, candidate.path);
  if (differs) Report(std::move(*differs), Stage::kCreate, ladder);
}

}  // namespace backplane::probing
