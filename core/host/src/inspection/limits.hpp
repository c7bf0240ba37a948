#pragma once

#include <backplane/host/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace backplane::inspection {

/// What is limited; see limits.def.
enum class Limit {
#define BACKPLANE_LIMIT(name, most, what) k##name,
#include "inspection/limits.def"
#undef BACKPLANE_LIMIT
};

/// How many a file may have.
std::uint64_t GetMost(Limit limit);

/// Says that a file has too many; nothing when it has not. `path` is for words only.
std::optional<Diagnostic> CheckLimit(Limit limit, std::uint64_t found, const std::string& path);

/// The names of all symbols together may be a few times as long as the table that holds them, as
/// one name may be the end of another.
std::optional<Diagnostic> CheckLengthOfNames(std::uint64_t names_bytes, std::uint64_t table_bytes,
                                             const std::string& path);

}  // namespace backplane::inspection
