#pragma once

/// The section headers of a file. The loader does not need them and strippers may take them away:
/// they only help to say more about a file that was found wanting.

#include "elf/file.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace backplane::elf {

/// Empty when the file has none, or when they do not lie in it.
std::vector<Section> ReadSections(const File& elf);

/// What is left of the debug information of a file.
struct DebugSections {
  bool has_information = false;
  std::string_view link;  // the name of the file that has it; valid as long as the elf::File
};

DebugSections FindDebugSections(const File& elf);

/// Gives the names of the functions in the full symbol table (.symtab), exported or not; none of a
/// stripped file. They are valid as long as the elf::File.
void VisitDefinedFunctions(const File& elf,
                           const std::function<void(std::string_view name)>& visitor);

/// Whether the file defines one of some functions, exported or not. The latter is not known of
/// stripped files.
bool HasFunction(const File& elf, const std::vector<std::string_view>& names);

}  // namespace backplane::elf
