#pragma once

#include <optional>
#include <string>

namespace backplane::verdicts {

/// Reads what was kept. Nothing: there is none, others may have written it, it is larger than
/// anything that is kept, or it cannot be read.
std::optional<std::string> ReadKeptFile(const std::string& path);

/// Keeps a text instead of what was there. Errors: none; then it is as before.
void ReplaceKeptFile(const std::string& path, const std::string& text);

}  // namespace backplane::verdicts
