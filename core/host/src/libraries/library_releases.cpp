#include "libraries/library_releases.hpp"

#include <string_view>

namespace backplane::libraries {
namespace {

struct ReleaseRow {
  std::string_view version;
  const char* name;
  const char* systems;
};

constexpr ReleaseRow kReleases[] = {
    {"GLIBC_2.28", "glibc 2.28", "Debian 10, RHEL 8"},
    {"GLIBC_2.29", "glibc 2.29", "Ubuntu 19.04, Fedora 30"},
    {"GLIBC_2.30", "glibc 2.30", "Ubuntu 19.10, Fedora 31"},
    {"GLIBC_2.31", "glibc 2.31", "Debian 11, Ubuntu 20.04"},
    {"GLIBC_2.32", "glibc 2.32", "Ubuntu 20.10, Fedora 33"},
    {"GLIBC_2.33", "glibc 2.33", "Ubuntu 21.04, Fedora 34"},
    {"GLIBC_2.34", "glibc 2.34", "RHEL 9, Fedora 35"},
    {"GLIBC_2.35", "glibc 2.35", "Ubuntu 22.04, Fedora 36"},
    {"GLIBC_2.36", "glibc 2.36", "Debian 12, Fedora 37"},
    {"GLIBC_2.37", "glibc 2.37", "Ubuntu 23.04, Fedora 38"},
    {"GLIBC_2.38", "glibc 2.38", "Ubuntu 23.10, Fedora 39"},
    {"GLIBC_2.39", "glibc 2.39", "Ubuntu 24.04, RHEL 10, Fedora 40"},
    {"GLIBC_2.40", "glibc 2.40", "Ubuntu 24.10, Fedora 41"},
    {"GLIBC_2.41", "glibc 2.41", "Debian 13, Ubuntu 25.04, Fedora 42"},
    {"GLIBC_2.42", "glibc 2.42", "Ubuntu 25.10, Fedora 43"},
    {"GLIBC_ABI_DT_RELR", "glibc 2.36", "Debian 12, Fedora 37"},
    {"GLIBCXX_3.4.22", "GCC 6.1", "Debian 9"},
    {"GLIBCXX_3.4.23", "GCC 7.1", ""},
    {"GLIBCXX_3.4.24", "GCC 7.2", ""},
    {"GLIBCXX_3.4.25", "GCC 8.1", "Debian 10, RHEL 8"},
    {"GLIBCXX_3.4.26", "GCC 9.1", ""},
    {"GLIBCXX_3.4.27", "GCC 9.2", ""},
    {"GLIBCXX_3.4.28", "GCC 9.3", "Debian 11, Ubuntu 20.04"},
    {"GLIBCXX_3.4.29", "GCC 11.1", "RHEL 9"},
    {"GLIBCXX_3.4.30", "GCC 12.1", "Debian 12, Ubuntu 22.04"},
    {"GLIBCXX_3.4.31", "GCC 13.1", "Fedora 38"},
    {"GLIBCXX_3.4.32", "GCC 13.2", "Ubuntu 23.10, Fedora 39"},
    {"GLIBCXX_3.4.33", "GCC 14.1", "Debian 13, Ubuntu 24.04, Fedora 40"},
    {"GLIBCXX_3.4.34", "GCC 15.1", "Fedora 42"},
    {"CXXABI_1.3.10", "GCC 6.1", "Debian 9"},
    {"CXXABI_1.3.11", "GCC 7.1", "Debian 10, RHEL 8"},
    {"CXXABI_1.3.12", "GCC 9.1", "Debian 11, Ubuntu 20.04"},
    {"CXXABI_1.3.13", "GCC 11.1", "RHEL 9"},
    {"CXXABI_1.3.14", "GCC 13.1", "Fedora 38"},
    {"CXXABI_1.3.15", "GCC 14.1", "Debian 13, Ubuntu 24.04, Fedora 40"},
    {"CXXABI_1.3.16", "GCC 15.1", "Fedora 42"},
};

}  // namespace

LibraryRelease FindRelease(const std::string& version) {
  for (const ReleaseRow& row : kReleases) {
    if (row.version == version) return {row.name, row.systems};
  }
  constexpr std::string_view kGlibc = "GLIBC_2.";
  // The C library names its versions after its releases.
  if (version.compare(0, kGlibc.size(), kGlibc) == 0) return {"glibc " + version.substr(6), {}};
  return {};
}

}  // namespace backplane::libraries
