#pragma once

/// The section headers of a file. The loader does not need them and strippers may take them away:
/// they only help to say more about a file that was found wanting.

#include "inspection/elf_file.hpp"

#include <gelf.h>

#include <string_view>
#include <vector>

namespace backplane::inspection {

/// Empty when the file has none, or when they do not lie in it.
std::vector<GElf_Shdr> ReadSections(const ElfFile& elf);

/// The names of the functions in the full symbol table (.symtab), exported or not. Empty for a
/// stripped file. Valid as long as the ElfFile.
std::vector<std::string_view> ReadDefinedFunctions(const ElfFile& elf);

/// Whether the file defines one of some functions, exported or not. The latter is not known of
/// stripped files.
bool HasFunction(const ElfFile& elf, const std::vector<std::string_view>& names);

}  // namespace backplane::inspection
