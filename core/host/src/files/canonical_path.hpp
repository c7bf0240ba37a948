#pragma once

#include <string>

namespace backplane::files {

/// The absolute path without links that leads to the same file, by realpath. boost::filesystem's
/// own ends the process where it finds no memory.
/// Errors: "", with errno.
std::string GetCanonicalPath(const std::string& path);

}  // namespace backplane::files
