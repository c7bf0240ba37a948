#pragma once

#include <string>

namespace backplane::libraries {

/// What people know a version of symbols by.
struct LibraryRelease {
  std::string name;     // "glibc 2.38", "GCC 13.2"
  std::string systems;  // "Ubuntu 23.10, Fedora 39": the first that have it; may be empty
};

/// The release that first had a version of the C or C++ library. An empty name: it is another
/// library's, or too new to be known.
LibraryRelease FindRelease(const std::string& version);

}  // namespace backplane::libraries
