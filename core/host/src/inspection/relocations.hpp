#pragma once

#include "inspection/elf_file.hpp"

#include <cstdint>
#include <vector>

namespace backplane::inspection {

/// The indexes of the dynamic symbols that relocations name, in order and each once.
std::vector<std::uint32_t> ReadRelocatedSymbols(const ElfFile& elf);

/// The highest of them; 0 when there are none.
std::uint32_t FindHighestRelocatedSymbol(const ElfFile& elf);

}  // namespace backplane::inspection
