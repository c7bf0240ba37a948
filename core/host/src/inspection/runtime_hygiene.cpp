#include "inspection/file_words.hpp"
#include "inspection/hygiene_checks.hpp"
#include "inspection/private_runtime.hpp"
#include "inspection/section_table.hpp"
#include "inspection/symbol_table.hpp"
#include "inspection/undefined_symbols.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace backplane::inspection {
namespace {

// Whether a file defines one of some functions, exported or not. The latter is not known of
// stripped files.
bool Defines(const Library& file, const std::vector<std::string_view>& functions) {
  const std::optional<SymbolTable>& symbols = file.object->symbols;
  const auto is_exported = [&symbols](std::string_view name) {
    return symbols && symbols->FindExported(name);
  };
  return std::any_of(functions.begin(), functions.end(), is_exported) ||
         HasFunction(*file.object->elf, functions);
}

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
    return JoinWithAnd(words);
  }

 private:
  std::vector<std::string> words_;
  std::size_t count_ = 0;
};

}  // namespace

// What shows also in a stripped file was told before.
std::optional<Diagnostic> CheckPrivateRuntime(const Library& file,
                                              const DependencyClosure& /*closure*/,
                                              const std::string& path) {
  const ElfFile& elf = *file.object->elf;
  std::vector<std::string> names;
  if (!NeedsLibrary(elf, "libgcc_s.so") && Defines(file, {"_Unwind_RaiseException"})) {
    names.emplace_back("libgcc");
  }
  if (!NeedsLibrary(elf, "libstdc++.so") && Defines(file, {"__cxa_throw"})) {
    names.emplace_back("libstdc++");
  }
  if (names.empty() || CheckOwnRuntime(elf, path)) return std::nullopt;
  return DescribePrivateRuntime(path, JoinWithAnd(names), "its functions in the file");
}

// Memory goes back and forth between backend and host.
std::optional<Diagnostic> CheckPrivateAllocator(const Library& file,
                                                const DependencyClosure& /*closure*/,
                                                const std::string& path) {
  const ElfFile& elf = *file.object->elf;
  if (!NeedsLibrary(elf, "libstdc++.so") || !Defines(file, {"_Znwm", "_Znwj"})) return std::nullopt;
  if (CheckOwnAllocator(elf, path)) return std::nullopt;
  return DescribePrivateAllocator(path, "operator new in the file");
}

std::optional<Diagnostic> CheckStringAbi(const Library& file, const DependencyClosure& /*closure*/,
                                         const std::string& path) {
  const std::optional<std::vector<SymbolReference>> references = ReadReferences(*file.object->elf);
  NamedSymbols names;
  if (references) {
    for (const SymbolReference& reference : *references) {
      // Ss is what the old std::string is called; the new one lives in std::__cxx11.
      const bool is_old =
          BeginsWith(reference.name, "_ZNSs") || BeginsWith(reference.name, "_ZNKSs");
      if (is_old) names.Add(reference.name);
    }
  }
  if (names.IsEmpty()) return std::nullopt;
  return DescribeFile(
      DiagnosticCode::kOldStringAbi, path, "is partly built with _GLIBCXX_USE_CXX11_ABI=0",
      "found that it uses the old std::string, by " + names.Join() +
          "; expected only the new one, which is another type",
      "vendor: compile all of it with _GLIBCXX_USE_CXX11_ABI=1", Severity::kWarning);
}

std::optional<Diagnostic> CheckUniqueSymbols(const Library& file,
                                             const DependencyClosure& /*closure*/,
                                             const std::string& path) {
  const std::optional<SymbolTable>& symbols = file.object->symbols;
  NamedSymbols names;
  for (std::uint32_t i = 0; symbols && i < symbols->GetEndOfFindable(); ++i) {
    const std::optional<Symbol> symbol = symbols->Get(i);
    if (symbol && symbol->IsExported() && symbol->GetBinding() == STB_GNU_UNIQUE) {
      names.Add(symbol->name);
    }
  }
  if (names.IsEmpty()) return std::nullopt;
  return DescribeFile(
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
  return DescribeFile(DiagnosticCode::kStaysInMemory, path, "stays in memory when it is closed",
                      "found the flag DF_1_NODELETE, with which the loader never unloads a file; "
                      "expected a file without it",
                      "vendor: link without -Wl,-z,nodelete", Severity::kNote);
}

}  // namespace backplane::inspection
