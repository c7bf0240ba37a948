#pragma once

#include "inspection/elf_file.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace backplane::inspection {

/// A note of a file. Its texts are valid as long as the ElfFile.
struct FileNote {
  std::string_view owner;  // "GNU", ...
  std::uint32_t type = 0;
  std::string_view description;  // any bytes
};

/// The notes of a file, as far as they can be read.
std::vector<FileNote> ReadNotes(const ElfFile& elf);

}  // namespace backplane::inspection
