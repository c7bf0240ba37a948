#include "inspection/undefined_symbols.hpp"

#include "inspection/needed_versions.hpp"
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
namespace {

std::uint32_t GetSymbolIndex(std::uint64_t relocation_info) {
  return static_cast<std::uint32_t>(GELF_R_SYM(relocation_info));
}

void AddRelocationsWithAddend(Elf_Data* data, std::set<std::uint32_t>& symbols) {
  GElf_Rela relocation;
  for (int i = 0; gelf_getrela(data, i, &relocation) != nullptr; ++i) {
    symbols.insert(GetSymbolIndex(relocation.r_info));
  }
}

void AddRelocationsWithoutAddend(Elf_Data* data, std::set<std::uint32_t>& symbols) {
  GElf_Rel relocation;
  for (int i = 0; gelf_getrel(data, i, &relocation) != nullptr; ++i) {
    symbols.insert(GetSymbolIndex(relocation.r_info));
  }
}

void AddTable(const ElfFile& elf, std::int64_t address_tag, std::int64_t size_tag, bool has_addend,
              std::set<std::uint32_t>& symbols) {
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(address_tag);
  const std::optional<std::uint64_t> size_bytes = elf.FindDynamicValue(size_tag);
  if (!address || !size_bytes || *size_bytes == 0) return;
  const std::optional<FileRange> range = elf.FindRange(*address, *size_bytes);
  if (!range) return;
  Elf_Data* data = elf.Read(*range, has_addend ? ELF_T_RELA : ELF_T_REL);
  if (data == nullptr) return;
  if (has_addend) {
    AddRelocationsWithAddend(data, symbols);
  } else {
    AddRelocationsWithoutAddend(data, symbols);
  }
}

// The symbols that relocations name. The loader looks for no others.
std::set<std::uint32_t> ReadRelocatedSymbols(const ElfFile& elf) {
  std::set<std::uint32_t> symbols;
  AddTable(elf, DT_RELA, DT_RELASZ, true, symbols);
  AddTable(elf, DT_REL, DT_RELSZ, false, symbols);
  const bool calls_have_addend = elf.FindDynamicValue(DT_PLTREL).value_or(DT_RELA) == DT_RELA;
  AddTable(elf, DT_JMPREL, DT_PLTRELSZ, calls_have_addend, symbols);
  symbols.erase(0);
  return symbols;
}

}  // namespace

std::optional<std::vector<SymbolReference>> ReadReferences(const ElfFile& elf) {
  const std::set<std::uint32_t> indexes = ReadRelocatedSymbols(elf);
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
