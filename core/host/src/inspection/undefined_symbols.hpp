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
  std::string version;   // empty: any
  bool is_weak = false;  // the loader does not insist on it
};

/// The symbols that the loader looks for elsewhere, each once: those that the relocations of a file
/// name and that it does not define. Null: its tables are damaged.
std::optional<std::vector<SymbolReference>> ReadReferences(const ElfFile& elf);

/// Takes those away that a library of the closure exports.
void RemoveDefined(const DependencyClosure& closure, std::vector<SymbolReference>& references);

/// The name as it stands in C++ sources, or as it is when it is no C++ name.
std::string Demangle(const std::string& name);

}  // namespace backplane::inspection
