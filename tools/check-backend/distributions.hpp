#pragma once

/// Which versions of symbols distributions have.

#include <backplane/host/file_facts.hpp>

#include <string>
#include <vector>

namespace backplane::check_backend {

/// "debian:11", ...
std::vector<std::string> GetDistributionNames();

/// What of `needed` a distribution does not have: "GLIBC_2.34 of libc.so.6, debian:11 has up to
/// GLIBC_2.31"; of other libraries nothing is known. Requires one of the names.
std::vector<std::string> FindMissingVersions(const std::string& distribution,
                                             const std::vector<NeededSymbolVersions>& needed);

}  // namespace backplane::check_backend
