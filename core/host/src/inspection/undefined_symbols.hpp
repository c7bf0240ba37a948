#pragma once

#include "inspection/dependency_closure.hpp"
#include "inspection/elf_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace backplane::inspection {

/// A symbol that a file takes from elsewhere.
struct SymbolReference {
  std::string name;
  std::string version;  // empty: any
};

/// The symbols that the loader must find for a file, each once: those that its relocations name,
/// that it does not define, and that are not weak. Null: its tables are damaged.
std::optional<std::vector<SymbolReference>> ReadReferences(const ElfFile& elf);

/// Takes those away that a library of the closure exports.
void RemoveDefined(const DependencyClosure& closure, std::vector<SymbolReference>& references);

/// The name as it stands in C++ sources, or as it is when it is no C++ name.
std::string Demangle(const std::string& name);

}  // namespace backplane::inspection
