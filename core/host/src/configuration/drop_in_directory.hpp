#pragma once

#include <backplane/host/configuration.hpp>

#include <cstddef>
#include <string>

namespace backplane::configuration {

/// More than any machine has.
constexpr std::size_t kMostDropIns = 256;
constexpr std::size_t kMaxDropInBytes = std::size_t{64} * 1024;
constexpr std::size_t kMostSettings = 10000;  // of all files together

/// Adds what the files *.conf of a directory say, in the byte order of their names. One that cannot
/// be read is a warning. So is one that others than the policy trusts may write, and it says
/// nothing; but when it lists digests, it allows nothing.
/// Errors: errno when the directory cannot be read; 0 otherwise.
int ReadDropIns(const std::string& directory, TrustPolicy policy, Configuration& configuration);

}  // namespace backplane::configuration
