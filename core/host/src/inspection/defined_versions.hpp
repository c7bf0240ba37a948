#pragma once

#include "inspection/elf_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::inspection {

/// The versions of symbols that a library has (DT_VERDEF), without the one that is its own name.
/// What is damaged is absent.
std::vector<std::string> ReadDefinedVersions(const ElfFile& elf);

/// Whether a symbol is only found by who asks for its version.
bool IsOldVersion(const ElfFile& elf, std::uint32_t symbol);

/// The name of this version.
std::string FindOldVersion(const ElfFile& elf, std::uint32_t symbol);

}  // namespace backplane::inspection
