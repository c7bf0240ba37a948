#pragma once

#include <backplane/host/export.hpp>

#include <string>

namespace backplane {

/// The text as one word of a shell, for commands that users are told.
/// [any thread] Since: 0.1
BACKPLANE_HOST_API std::string QuoteForShell(const std::string& text);

}  // namespace backplane
