#pragma once

#include <backplane/host/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::inspection {

/// What the manifest note of a file says. Texts that it does not have are empty.
struct Manifest {
  std::string id;  // never empty
  std::string vendor;
  std::string version;  // of the product
  std::string license;
  std::vector<std::string> cpu_features;
  std::optional<std::int64_t> rank;
  std::vector<std::string> permissions;  // some may be of a later host
  std::vector<std::string> operators;    // of its own, as "domain/type/versions"
};

/// What came of the manifest notes of one file.
struct ManifestResult {
  std::optional<Manifest> manifest;  // when there is one, and it can be read
  std::vector<Diagnostic> diagnostics;
};

/// Reads and checks the descriptions of all manifest notes of a file; it may have none.
ManifestResult CheckManifests(const std::vector<std::string_view>& descriptions,
                              const std::string& path);

}  // namespace backplane::inspection
