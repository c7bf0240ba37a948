#pragma once

#include <optional>
#include <string>

namespace backplane::files {

/// The SHA-256 digest of all that an open file has, as 64 lower-case hexadecimal digits. The
/// position of the descriptor stays where it is.
/// Errors: none when the file cannot be read, with errno.
/// Threads: any.
std::optional<std::string> ComputeSha256(int descriptor);

}  // namespace backplane::files
