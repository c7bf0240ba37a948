#pragma once

#include "elf/file.hpp"
#include "elf/symbol_table.hpp"

#include <string>
#include <vector>

namespace backplane::conflicts {

/// The functions by which compiled code enters an OpenMP runtime: of GCC's, and of LLVM's and
/// Intel's. A file that exports one of them is such a runtime.
const std::vector<std::string>& GetOpenMpFunctions();

/// Whether a file is an OpenMP runtime or has one linked in, hidden and stripped or not.
bool HasOpenMpRuntime(const elf::File& elf, const elf::SymbolTable& symbols);

}  // namespace backplane::conflicts
