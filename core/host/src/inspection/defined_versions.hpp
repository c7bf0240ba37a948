#pragma once

#include "inspection/elf_file.hpp"

#include <string>
#include <vector>

namespace backplane::inspection {

/// The versions of symbols that a library has (DT_VERDEF), without the one that is its own name.
/// What is damaged is absent.
std::vector<std::string> ReadDefinedVersions(const ElfFile& elf);

}  // namespace backplane::inspection
