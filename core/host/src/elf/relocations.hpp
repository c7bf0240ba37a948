#pragma once

#include "elf/file.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace backplane::elf {

/// The indexes of the dynamic symbols that relocations name, in order and each once.
std::vector<std::uint32_t> ReadRelocatedSymbols(const File& elf);

/// The highest of them; 0 when there are none.
std::uint32_t FindHighestRelocatedSymbol(const File& elf);

/// Where the relocations of a file lead.
struct RelocationEnds {
  std::uint32_t highest_symbol = 0;
  std::optional<std::uint64_t> wild_target;  // the first address that they may not write to
};

RelocationEnds FindRelocationEnds(const File& elf);

/// By the sizes that the dynamic section states; nothing is read.
std::uint64_t CountRelocations(const File& elf);

}  // namespace backplane::elf
