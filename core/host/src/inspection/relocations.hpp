#pragma once

#include "inspection/elf_file.hpp"

#include <cstdint>
#include <vector>

namespace backplane::inspection {

/// The indexes of the symbols that relocations name, in their order and as often as they do; those
/// without a symbol are left out. The loader looks for no others.
std::vector<std::uint32_t> ReadRelocatedSymbols(const ElfFile& elf);

}  // namespace backplane::inspection
