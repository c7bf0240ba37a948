#pragma once

#include "elf/file.hpp"
#include "libraries/dependency_closure.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::libraries {

/// A symbol that a file takes from elsewhere.
/// Its texts are valid as long as the elf::File.
struct SymbolReference {
  std::string_view name;
  std::string_view version;  // empty: any
  bool is_weak = false;      // the loader does not insist on it
};

/// The symbols that the loader looks for elsewhere, each once: those that the relocations of a file
/// name and that it does not define. Null: its tables are damaged.
std::optional<std::vector<SymbolReference>> ReadReferences(const elf::File& elf);

/// Takes those away that a library of the closure exports. Gives false, and does nothing, when that
/// would take more lookups than the limit.
bool RemoveDefined(const DependencyClosure& closure, std::vector<SymbolReference>& references);

/// The name as it stands in C++ sources; as it is when it is no C++ name, or one whose short form
/// may stand for a very long one. Very long names are shortened.
std::string Demangle(std::string_view name);

}  // namespace backplane::libraries
