#pragma once

#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::files {

/// The parts of <vendor>_<name>_backend.so[.N[.N...]].
struct BackendFileName {
  std::string family;  // "<vendor>_<name>": names a backend whatever its version
  std::string vendor;
  std::string name;
  std::vector<std::string> version;  // digits; empty for a name without version
};

/// Null: when the name is not that of a backend.
std::optional<BackendFileName> ParseBackendFileName(std::string_view file_name);

/// The order in which files of one directory are tried: by family in byte order; in a family the
/// one without version first, then versions from highest to lowest, compared number by number.
bool IsTriedBefore(const BackendFileName& a, const BackendFileName& b);

/// Negative, 0 or positive: how two versions of numbers with dots between them compare, number by
/// number; one that is left out counts as 0. An empty text is below every version.
int CompareVersions(std::string_view a, std::string_view b);

/// Says what is wrong with a name that ParseBackendFileName refused.
Diagnostic DescribeInvalidFileName(const std::string& path, std::string_view file_name);

}  // namespace backplane::files
