#pragma once

#include <cstddef>
#include <cstdint>

namespace backplane::elf {

/// The things of a file whose number is limited, from limits.def.
enum class Limit {
#define BACKPLANE_LIMIT(name, most, what) k##name,
#include "elf/limits.def"
#undef BACKPLANE_LIMIT
};

struct LimitRow {
  std::uint64_t most;
  const char* what;  // as messages name it, in the plural
};

constexpr LimitRow kLimitRows[] = {
#define BACKPLANE_LIMIT(name, most, what) {most, what},
#include "elf/limits.def"
#undef BACKPLANE_LIMIT
};

/// How many a file may have.
constexpr std::uint64_t GetMost(Limit limit) {
  return kLimitRows[static_cast<std::size_t>(limit)].most;
}

}  // namespace backplane::elf
