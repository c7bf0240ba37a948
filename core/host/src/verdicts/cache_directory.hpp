#pragma once

#include <string>

namespace backplane::verdicts {

/// Where this user's verdicts are kept: backplane/verdicts in $XDG_CACHE_HOME, or else in
/// $HOME/.cache. "" when there is no such place, as in secure execution.
std::string FindCacheDirectory();

/// Makes a directory, and those above it, for this user alone. Returns "", or why it cannot be
/// used: it cannot be made, or it belongs to another user, or others may write there.
std::string PrepareCacheDirectory(const std::string& directory);

}  // namespace backplane::verdicts
