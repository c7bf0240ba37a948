#pragma once

/// The section headers of a file. The loader does not need them and strippers may take them away:
/// they only help to say more about a file that was found wanting.

#include "inspection/elf_file.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace backplane::inspection {

/// Empty when the file has none, or when they do not lie in it.
std::vector<ElfSection> ReadSections(const ElfFile& elf);

/// What is left of the debug information of a file.
struct DebugSections {
  bool has_information = false;
  std::string_view link;  // the name of the file that has it; valid as long as the ElfFile
};

DebugSections FindDebugSections(const ElfFile& elf);

/// Gives the names of the functions in the full symbol table (.symtab), exported or not; none of a
/// stripped file. They are valid as long as the ElfFile.
void VisitDefinedFunctions(const ElfFile& elf,
                           const std::function<void(std::string_view name)>& visitor);

/// Whether the file defines one of some functions, exported or not. The latter is not known of
/// stripped files.
bool HasFunction(const ElfFile& elf, const std::vector<std::string_view>& names);

}  // namespace backplane::inspection
