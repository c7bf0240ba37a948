#include "scanning/operator_rules.hpp"

#include "diagnostics/file_words.hpp"
#include "files/backend_file_name.hpp"
#include "files/file_digest.hpp"

#include <algorithm>

namespace backplane::scanning {
namespace {

bool IsNamed(const KnownBadBackend& bad, const inspection::Manifest& manifest) {
  if (bad.vendor != manifest.vendor || bad.id != manifest.id) return false;
  if (bad.first_version.empty()) return true;
  return files::CompareVersions(manifest.version, bad.first_version) >= 0 &&
         files::CompareVersions(manifest.version, bad.last_version) <= 0;
}

std::string DescribeBuild(const KnownBadBackend& bad,
                          const std::optional<inspection::Manifest>& manifest) {
  if (!bad.digest.empty()) return "its SHA-256 digest " + bad.digest;
  return manifest->id + " " + manifest->version + " of " + manifest->vendor;
}

Diagnostic DescribeKnownBad(const KnownBadBackend& bad, const std::string& path,
                            const std::optional<inspection::Manifest>& manifest) {
  return diagnostics::DescribeFile(
      DiagnosticCode::kKnownBad, path, "is known not to work: " + bad.text,
      "found " + DescribeBuild(bad, manifest) + " in the list of bad backends, " + bad.origin,
      "install another version of the backend; if the list is wrong, take the line out of it");
}

}  // namespace

std::optional<Diagnostic> CheckKnownBad(const std::vector<KnownBadBackend>& known_bad,
                                        const std::string& path, int descriptor,
                                        const std::optional<inspection::Manifest>& manifest) {
  const bool has_digests =
      std::any_of(known_bad.begin(), known_bad.end(),
                  [](const KnownBadBackend& bad) { return !bad.digest.empty(); });
  // What cannot be read is told by others.
  const std::string digest =
      has_digests ? files::ComputeSha256(descriptor).value_or("") : std::string();
  for (const KnownBadBackend& bad : known_bad) {
    const bool is_meant =
        bad.digest.empty() ? manifest && IsNamed(bad, *manifest) : bad.digest == digest;
    if (is_meant) return DescribeKnownBad(bad, path, manifest);
  }
  return std::nullopt;
}

}  // namespace backplane::scanning
