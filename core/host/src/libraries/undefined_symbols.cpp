#include "libraries/undefined_symbols.hpp"

#include "diagnostics/file_words.hpp"
#include "elf/limits.hpp"
#include "elf/needed_versions.hpp"
#include "elf/relocations.hpp"
#include "elf/symbol_table.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>

namespace backplane::libraries {
namespace {

bool IsDigitOrCapital(char character) {
  return (character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z');
}

// The places where a mangled name refers to earlier parts of itself: S_, S0_, T_, ...
std::size_t CountRepeats(std::string_view name) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != 'S' && name[i] != 'T') continue;
    while (i + 1 < name.size() && IsDigitOrCapital(name[i + 1])) ++i;
    if (i + 1 < name.size() && name[i + 1] == '_') ++count;
  }
  return count;
}

// Each repeat may make a name twice as long.
bool IsShortWhenDemangled(std::string_view name) {
  constexpr std::size_t kMostBytes = 300;
  constexpr std::size_t kMostRepeats = 12;
  return name.size() <= kMostBytes && CountRepeats(name) <= kMostRepeats;
}

}  // namespace

std::optional<std::vector<SymbolReference>> ReadReferences(const elf::File& elf) {
  const std::vector<std::uint32_t> indexes = elf::ReadRelocatedSymbols(elf);
  std::vector<SymbolReference> references;
  if (indexes.empty()) return references;
  if (indexes.back() == std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  const std::optional<elf::SymbolTable> symbols = elf::SymbolTable::Open(elf, indexes.back() + 1);
  if (!symbols) return std::nullopt;
  const elf::NeededVersions versions(elf, indexes.back() + 1);
  for (const std::uint32_t index : indexes) {
    const std::optional<elf::Symbol> symbol = symbols->Get(index);
    if (!symbol) return std::nullopt;
    const bool is_weak = symbol->GetBinding() == STB_WEAK;
    if (symbol->entry.st_shndx != SHN_UNDEF) continue;
    if (!is_weak && symbol->GetBinding() != STB_GLOBAL) continue;
    references.push_back({symbol->name, versions.Find(index), is_weak});
  }
  return references;
}

bool RemoveDefined(const DependencyClosure& closure, std::vector<SymbolReference>& references) {
  const std::uint64_t num_lookups =
      std::uint64_t{references.size()} * std::uint64_t{closure.libraries.size()};
  if (num_lookups > elf::GetMost(elf::Limit::kSymbolLookups)) return false;
  const auto is_defined = [&closure](const SymbolReference& reference) {
    return std::any_of(closure.libraries.begin(), closure.libraries.end(),
                       [&reference](const std::unique_ptr<Library>& library) {
                         const auto& symbols = library->object->symbols;
                         return symbols && symbols->FindExported(reference.name);
                       });
  };
  references.erase(std::remove_if(references.begin(), references.end(), is_defined),
                   references.end());
  return true;
}

std::string Demangle(std::string_view name) {
  const std::string text = diagnostics::Shorten(name);
  if (text.compare(0, 2, "_Z") != 0 || !IsShortWhenDemangled(name)) return text;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && demangled ? diagnostics::Shorten(demangled.get()) : text;
}

}  // namespace backplane::libraries
