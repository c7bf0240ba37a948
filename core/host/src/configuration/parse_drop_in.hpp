#pragma once

#include <backplane/host/configuration.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace backplane::configuration {

/// Adds what a drop-in file says. What cannot be used is a warning, with file and line, and
/// everything else holds; a digest that cannot be read allows nothing.
void ParseDropIn(std::string_view text, const std::string& file, Configuration& configuration);

/// A number of MiB as bytes. Nothing: it is none, or too large.
std::optional<std::uint64_t> ParseMebibytes(std::string_view text);

}  // namespace backplane::configuration
