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
#include <set>
#include <unordered_set>

namespace backplane::inspection {

std::optional<std::vector<SymbolReference>> ReadReferences(const ElfFile& elf) {
  const std::vector<std::uint32_t> named = ReadRelocatedSymbols(elf);
  const std::set<std::uint32_t> indexes(named.begin(), named.end());
  std::vector<SymbolReference> references;
  if (indexes.empty()) return references;
  if (*indexes.rbegin() == std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  const std::optional<SymbolTable> symbols = SymbolTable::Open(elf, *indexes.rbegin() + 1);
  if (!symbols) return std::nullopt;
  const NeededVersions versions(elf);
  for (const std::uint32_t index : indexes) {
    const std::optional<Symbol> symbol = symbols->Get(index);
    if (!symbol) return std::nullopt;
    if (symbol->entry.st_shndx != SHN_UNDEF || symbol->GetBinding() != STB_GLOBAL) continue;
    references.push_back({std::string(symbol->name), versions.Find(index)});
  }
  return references;
}

void RemoveDefined(const DependencyClosure& closure, std::vector<SymbolReference>& references) {
  std::unordered_set<std::string_view> wanted;
  for (const SymbolReference& reference : references) wanted.insert(reference.name);
  for (const std::unique_ptr<Library>& library : closure.libraries) {
    const std::optional<SymbolTable> symbols = SymbolTable::Open(*library->elf);
    if (!symbols) continue;
    for (std::uint32_t i = 0; i < symbols->GetEndOfFindable() && !wanted.empty(); ++i) {
      const std::optional<Symbol> symbol = symbols->Get(i);
      if (symbol && symbol->IsExported()) wanted.erase(symbol->name);
    }
  }
  const auto is_defined = [&wanted](const SymbolReference& reference) {
    return wanted.count(reference.name) == 0;
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
