#pragma once

#include "elf/limits.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace backplane::inspection {

/// Says that a file has too many; nothing when it has not. `path` is for words only.
std::optional<Diagnostic> CheckLimit(elf::Limit limit, std::uint64_t found,
                                     const std::string& path);

/// The names of all symbols together may be a few times as long as the table that holds them, as
/// one name may be the end of another.
std::optional<Diagnostic> CheckLengthOfNames(std::uint64_t names_bytes, std::uint64_t table_bytes,
                                             const std::string& path);

}  // namespace backplane::inspection
