#pragma once

#include <optional>
#include <string>

namespace backplane::verdicts {

/// Reads a file that only this user can have written. Nothing: it is not such a file, is larger
/// than anything that is kept, or cannot be read.
std::optional<std::string> ReadOwnFile(const std::string& path);

/// Writes a file so that others see all of it or nothing. Errors: none; then it is as before.
void ReplaceFile(const std::string& path, const std::string& text);

}  // namespace backplane::verdicts
