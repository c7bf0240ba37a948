#pragma once

#include "elf/file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::elf {

/// The versions of symbols that a library has (DT_VERDEF), without the one that is its own name.
/// Damaged records are left out.
std::vector<std::string> ReadDefinedVersions(const File& elf);

/// Whether a symbol is only found by who asks for its version.
bool IsOldVersion(const File& elf, std::uint32_t symbol);

/// The name of this version.
std::string FindOldVersion(const File& elf, std::uint32_t symbol);

}  // namespace backplane::elf
