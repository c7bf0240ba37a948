#include "inspection/undefined_symbols.hpp"

#include "inspection/needed_versions.hpp"
#include "inspection/relocations.hpp"
#include "inspection/symbol_table.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>

namespace backplane::inspection {

std::optional<std::vector<SymbolReference>> ReadReferences(const ElfFile& elf) {
  const std::vector<std::uint32_t> indexes = ReadRelocatedSymbols(elf);
  std::vector<SymbolReference> references;
  if (indexes.empty()) return references;
  if (indexes.back() == std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  const std::optional<SymbolTable> symbols = SymbolTable::Open(elf, indexes.back() + 1);
  if (!symbols) return std::nullopt;
  const NeededVersions versions(elf, indexes.back() + 1);
  for (const std::uint32_t index : indexes) {
    const std::optional<Symbol> symbol = symbols->Get(index);
    if (!symbol) return std::nullopt;
    const bool is_weak = symbol->GetBinding() == STB_WEAK;
    if (symbol->entry.st_shndx != SHN_UNDEF) continue;
    if (!is_weak && symbol->GetBinding() != STB_GLOBAL) continue;
    references.push_back({std::string(symbol->name), versions.Find(index), is_weak});
  }
  return references;
}

void RemoveDefined(const DependencyClosure& closure, std::vector<SymbolReference>& references) {
  const auto is_defined = [&closure](const SymbolReference& reference) {
    return std::any_of(closure.libraries.begin(), closure.libraries.end(),
                       [&reference](const std::unique_ptr<Library>& library) {
                         const auto& symbols = library->object->symbols;
                         return symbols && symbols->FindExported(reference.name);
                       });
  };
  references.erase(std::remove_if(references.begin(), references.end(), is_defined),
                   references.end());
}

std::string Demangle(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text && name.compare(0, 2, "_Z") == 0 ? text.get() : name;
}

}  // namespace backplane::inspection
