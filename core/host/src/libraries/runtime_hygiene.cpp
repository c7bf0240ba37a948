#include "diagnostics/file_words.hpp"
#include "elf/symbol_table.hpp"
#include "libraries/dependency_checks.hpp"
#include "libraries/undefined_symbols.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace backplane::libraries {
namespace {

// Symbols of which some are told by name.
class NamedSymbols {
 public:
  void Add(std::string_view name) {
    constexpr std::size_t kMostNames = 3;
    if (++count_ <= kMostNames) words_.push_back(Demangle(name));
  }
  bool IsEmpty() const { return count_ == 0; }
  std::string Join() const {
    std::vector<std::string> words = words_;
    if (count_ > words.size()) words.push_back(std::to_string(count_ - words.size()) + " more");
    return diagnostics::JoinWithAnd(words);
  }

 private:
  std::vector<std::string> words_;
  std::size_t count_ = 0;
};

}  // namespace

std::optional<Diagnostic> CheckUniqueSymbols(const Library& file,
                                             const DependencyClosure& /*closure*/,
                                             const std::string& path) {
  const std::optional<elf::SymbolTable>& symbols = file.object->symbols;
  NamedSymbols names;
  for (std::uint32_t i = 0; symbols && i < symbols->GetEndOfFindable(); ++i) {
    const std::optional<elf::Symbol> symbol = symbols->Get(i);
    if (symbol && symbol->IsExported() && symbol->GetBinding() == STB_GNU_UNIQUE) {
      names.Add(symbol->name);
    }
  }
  if (names.IsEmpty()) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kUniqueSymbols, path, "shares C++ singletons with every other library",
      "found unique symbols (STB_GNU_UNIQUE): " + names.Join() +
          "; with them it is never unloaded, and uses the variables of whichever "
          "library came first",
      "vendor: compile with -fno-gnu-unique, or export only the entry points", Severity::kNote);
}

std::optional<Diagnostic> CheckMayBeUnloaded(const Library& file,
                                             const DependencyClosure& /*closure*/,
                                             const std::string& path) {
  const std::uint64_t flags = file.object->elf->FindDynamicValue(DT_FLAGS_1).value_or(0);
  if ((flags & DF_1_NODELETE) == 0) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kStaysInMemory, path, "stays in memory when it is closed",
      "found the flag DF_1_NODELETE, with which the loader never unloads a file; "
      "expected a file without it",
      "vendor: link without -Wl,-z,nodelete", Severity::kNote);
}

}  // namespace backplane::libraries
