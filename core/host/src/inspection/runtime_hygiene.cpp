#include "inspection/file_words.hpp"
#include "inspection/hygiene_checks.hpp"
#include "inspection/section_table.hpp"
#include "inspection/symbol_table.hpp"
#include "inspection/undefined_symbols.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace backplane::inspection {
namespace {

bool BeginsWith(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

bool Needs(const Library& file, std::string_view library) {
  const std::vector<std::string>& needed = file.object->needed;
  return std::any_of(needed.begin(), needed.end(),
                     [library](const std::string& name) { return BeginsWith(name, library); });
}

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

constexpr std::size_t kMostNames = 3;

std::string JoinDemangled(const std::vector<std::string>& names) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) {
    words.push_back(Demangle(names[i]));
  }
  if (names.size() > kMostNames) {
    words.push_back(std::to_string(names.size() - kMostNames) + " more");
  }
  return JoinWithAnd(words);
}

}  // namespace

std::optional<Diagnostic> CheckPrivateRuntime(const Library& file,
                                              const DependencyClosure& /*closure*/,
                                              const std::string& path) {
  std::vector<std::string> names;
  if (!Needs(file, "libgcc_s.so") && Defines(file, {"_Unwind_RaiseException"})) {
    names.emplace_back("libgcc");
  }
  if (!Needs(file, "libstdc++.so") && Defines(file, {"__cxa_throw"})) {
    names.emplace_back("libstdc++");
  }
  if (names.empty()) return std::nullopt;
  return DescribeFile(DiagnosticCode::kPrivateRuntime, path,
                      "carries its own " + JoinWithAnd(names),
                      "found its functions in the file, expected them in the system's library; an "
                      "exception that leaves the backend ends the process",
                      "vendor: link without -static-libgcc and -static-libstdc++", Severity::kNote);
}

// Memory goes back and forth between backend and host.
std::optional<Diagnostic> CheckPrivateAllocator(const Library& file,
                                                const DependencyClosure& /*closure*/,
                                                const std::string& path) {
  if (!Needs(file, "libstdc++.so") || !Defines(file, {"_Znwm", "_Znwj"})) return std::nullopt;
  return DescribeFile(DiagnosticCode::kPrivateAllocator, path, "has an allocator of its own",
                      "found operator new in the file, expected that of libstdc++; memory that the "
                      "backend allocates is freed by the host, with another allocator",
                      "vendor: do not link an allocator or define operator new in a backend",
                      Severity::kWarning);
}

std::optional<Diagnostic> CheckStringAbi(const Library& file, const DependencyClosure& /*closure*/,
                                         const std::string& path) {
  const std::optional<std::vector<SymbolReference>> references = ReadReferences(*file.object->elf);
  std::vector<std::string> names;
  if (references) {
    for (const SymbolReference& reference : *references) {
      // Ss is what the old std::string is called; the new one lives in std::__cxx11.
      const bool is_old =
          BeginsWith(reference.name, "_ZNSs") || BeginsWith(reference.name, "_ZNKSs");
      if (is_old) names.push_back(reference.name);
    }
  }
  if (names.empty()) return std::nullopt;
  return DescribeFile(
      DiagnosticCode::kOldStringAbi, path, "is partly built with _GLIBCXX_USE_CXX11_ABI=0",
      "found that it uses the old std::string, by " + JoinDemangled(names) +
          "; expected only the new one, which is another type",
      "vendor: compile all of it with _GLIBCXX_USE_CXX11_ABI=1", Severity::kWarning);
}

std::optional<Diagnostic> CheckUniqueSymbols(const Library& file,
                                             const DependencyClosure& /*closure*/,
                                             const std::string& path) {
  const std::optional<SymbolTable>& symbols = file.object->symbols;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; symbols && i < symbols->GetEndOfFindable(); ++i) {
    const std::optional<Symbol> symbol = symbols->Get(i);
    if (symbol && symbol->IsExported() && symbol->GetBinding() == STB_GNU_UNIQUE) {
      names.emplace_back(symbol->name);
    }
  }
  if (names.empty()) return std::nullopt;
  return DescribeFile(
      DiagnosticCode::kUniqueSymbols, path, "shares C++ singletons with every other library",
      "found unique symbols (STB_GNU_UNIQUE): " + JoinDemangled(names) +
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
