#pragma once

#include "inspection/elf_file.hpp"

#include <cstdint>
#include <vector>

namespace backplane::inspection {

/// The indexes of the dynamic symbols that relocations name, in order and each once.
std::vector<std::uint32_t> ReadRelocatedSymbols(const ElfFile& elf);

}  // namespace backplane::inspection
