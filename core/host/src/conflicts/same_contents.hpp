#pragma once

#include <string>

namespace backplane::conflicts {

/// Whether two files are the same byte by byte. False also when one cannot be read, or when they
/// are larger than any library that comes with a backend.
bool HasSameContents(const std::string& a, const std::string& b);

}  // namespace backplane::conflicts
