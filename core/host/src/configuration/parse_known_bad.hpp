#pragma once

#include <backplane/host/configuration.hpp>

#include <optional>
#include <string_view>

namespace backplane::configuration {

/// Reads what stands behind "known_bad =", without its origin. Nothing: it is none.
std::optional<KnownBadBackend> ParseKnownBad(std::string_view value);

}  // namespace backplane::configuration
