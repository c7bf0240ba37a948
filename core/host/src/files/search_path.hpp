#pragma once

#include <backplane/host/scan.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::files {

/// Splits a list at its colons; $ORIGIN in an element stands for `origin`. An empty list has no
/// elements; empty elements of others are kept, so that they can be reported.
std::vector<std::string> SplitPathList(std::string_view list, const std::string& origin);

/// What is wrong with a search path, as a warning; nothing when it can be scanned. Checked in this
/// order: empty, absolute, exists, directory, readable.
std::optional<Diagnostic> CheckSearchPath(const std::string& path);

}  // namespace backplane::files
