#include "libraries/dependency_checks.hpp"

#include "diagnostics/file_words.hpp"
#include "elf/relocations.hpp"
#include "inspection/limit_checks.hpp"
#include "libraries/undefined_symbols.hpp"

#include <backplane/api/backend_version.hpp>

#include <elf.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace backplane::libraries {
namespace {

using References = std::vector<SymbolReference>;

std::string DescribeReference(const SymbolReference& reference) {
  const std::string name = Demangle(reference.name);
  if (reference.version.empty()) return name;
  return name + " (version " + diagnostics::Shorten(reference.version) + ")";
}

// The symbols in words, demangled and in order.
std::string Join(const References& references) {
  constexpr std::size_t kMost = 100;  // of which some are told
  References first(std::min(references.size(), kMost));
  std::partial_sort_copy(
      references.begin(), references.end(), first.begin(), first.end(),
      [](const SymbolReference& a, const SymbolReference& b) { return a.name < b.name; });
  std::vector<std::string> names(first.size());
  std::transform(first.begin(), first.end(), names.begin(), DescribeReference);
  std::sort(names.begin(), names.end());
  return diagnostics::JoinSomeWithAnd(std::move(names), references.size());
}

std::string Count(const References& references) {
  return std::to_string(references.size()) + (references.size() == 1 ? " symbol" : " symbols");
}

// Takes those out for which `is_wanted` says yes, and gives them.
template <typename Predicate>
References TakeOut(References& references, const Predicate& is_wanted) {
  const auto first = std::stable_partition(
      references.begin(), references.end(),
      [&is_wanted](const SymbolReference& reference) { return !is_wanted(reference); });
  References taken(std::make_move_iterator(first), std::make_move_iterator(references.end()));
  references.erase(first, references.end());
  return taken;
}

// Where symbols were looked for, in words.
std::string DescribeSearched(const DependencyClosure& closure,
                             const IsDefinedInProcess& is_defined_in_process) {
  std::vector<std::string> searched;
  if (is_defined_in_process) searched.emplace_back("this program");
  for (const std::unique_ptr<Library>& library : closure.libraries) {
    searched.push_back(library->name);
  }
  if (searched.empty()) return "it needs no libraries that could define them";
  return "searched " + diagnostics::JoinSomeWithAnd(std::move(searched));
}

std::optional<Diagnostic> CheckUndefined(const References& undefined, const std::string& searched,
                                         const std::string& path) {
  if (undefined.empty()) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kUndefinedSymbol, path, "needs " + Count(undefined) + " that nothing defines",
      "undefined: " + Join(undefined) + "; " + searched,
      "link the backend with the libraries that define them, and with -Wl,-z,defs to see such "
      "symbols when linking");
}

// Nothing of the host is meant to be linked with.
bool IsOfHost(const SymbolReference& reference) {
  constexpr const char* kBeginnings[] = {"_ZN9backplane", "_ZNK9backplane", "_ZTVN9backplane",
                                         "_ZTIN9backplane", "_ZTSN9backplane"};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings), [&](const char* beginning) {
    return diagnostics::BeginsWith(reference.name, beginning);
  });
}

std::optional<Diagnostic> CheckHostSymbols(const References& undefined, const std::string& path) {
  if (undefined.empty()) return std::nullopt;
  const std::string version =
      std::to_string(kBackendApiVersion.major) + "." + std::to_string(kBackendApiVersion.minor);
  return diagnostics::DescribeFile(
      DiagnosticCode::kUndefinedHostSymbol, path,
      "needs " + Count(undefined) + " of Backplane that this host does not export",
      "undefined: " + Join(undefined) + "; this host, with Backend API " + version +
          ", exports nothing to link with, and expects a backend to call it through the interfaces "
          "that it is given",
      "vendor: use only what the headers of the Backend API define, and link with -Wl,-z,defs");
}

// Those that compilers and C libraries refer to in every file, and look at before they use them.
bool IsOfToolchain(const SymbolReference& reference) {
  return diagnostics::BeginsWith(reference.name, "__") ||
         diagnostics::BeginsWith(reference.name, "_ITM_") ||
         diagnostics::BeginsWith(reference.name, "_Jv_") ||
         diagnostics::BeginsWith(reference.name, "_ZGTt");
}

std::optional<Diagnostic> CheckWeak(const References& undefined, const std::string& searched,
                                    const std::string& path) {
  if (undefined.empty()) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kUnresolvedWeakSymbol, path,
      "needs " + Count(undefined) + " weakly that nothing defines",
      "unresolved: " + Join(undefined) + "; " + searched +
          "; the loader puts the address 0 in their place, and calling that ends the process",
      "vendor: link the library that defines them, or make sure that every use looks at the "
      "address first",
      Severity::kWarning);
}

// Whether the file binds references to its own symbols itself.
bool IsSymbolic(const elf::File& elf) {
  return elf.FindDynamicValue(DT_SYMBOLIC).has_value() ||
         (elf.FindDynamicValue(DT_FLAGS).value_or(0) & DF_SYMBOLIC) != 0;
}

// The symbols that a file defines, exports, and uses in a way that lets others take their place.
// Weak ones are inline functions of C++, which are meant to be the same everywhere.
References FindReplaceable(const elf::File& elf, const elf::SymbolTable& symbols) {
  References references;
  if (IsSymbolic(elf)) return references;
  for (const std::uint32_t index : elf::ReadRelocatedSymbols(elf)) {
    const std::optional<elf::Symbol> symbol = symbols.Get(index);
    if (!symbol || !symbol->IsExported() || symbol->GetBinding() != STB_GLOBAL) continue;
    if (ELF64_ST_VISIBILITY(symbol->entry.st_other) != STV_DEFAULT) continue;
    references.push_back({symbol->name, {}, false});
  }
  return references;
}

std::optional<Diagnostic> CheckClashes(const Library& file, const std::string& path,
                                       const IsDefinedInProcess& is_defined_in_process) {
  if (!is_defined_in_process || !file.object->symbols) return std::nullopt;
  References own = FindReplaceable(*file.object->elf, *file.object->symbols);
  const References clashing = TakeOut(own, [&](const SymbolReference& reference) {
    return is_defined_in_process(std::string(reference.name), {});
  });
  if (clashing.empty()) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kExportsClash, path,
      "exports " + Count(clashing) + " that this program exports as well",
      "found " + Join(clashing) +
          " in the file, in the program or in a library that it needs; "
          "the backend will use theirs instead of its own",
      "vendor: compile with -fvisibility=hidden and export only the entry points",
      Severity::kWarning);
}

}  // namespace

std::vector<Diagnostic> CheckSymbols(const Library& file, const DependencyClosure& closure,
                                     const std::string& path,
                                     const IsDefinedInProcess& is_defined_in_process) {
  std::optional<References> references = ReadReferences(*file.object->elf);
  if (!references)
    return {diagnostics::DescribeDamage(path, "relocations name symbols outside the file")};
  TakeOut(*references,
          [](const SymbolReference& row) { return row.is_weak && IsOfToolchain(row); });
  if (!RemoveDefined(closure, *references)) {
    const std::uint64_t num_lookups =
        std::uint64_t{references->size()} * std::uint64_t{closure.libraries.size()};
    return {inspection::CheckLimit(elf::Limit::kSymbolLookups, num_lookups, path).value()};
  }
  if (is_defined_in_process) {
    TakeOut(*references, [&](const SymbolReference& reference) {
      return is_defined_in_process(std::string(reference.name), std::string(reference.version));
    });
  }
  const References weak =
      TakeOut(*references, [](const SymbolReference& row) { return row.is_weak; });
  const References of_host = TakeOut(*references, IsOfHost);
  const std::string searched = DescribeSearched(closure, is_defined_in_process);
  std::vector<Diagnostic> diagnostics;
  for (const std::optional<Diagnostic>& found :
       {CheckUndefined(*references, searched, path), CheckHostSymbols(of_host, path),
        CheckWeak(weak, searched, path), CheckClashes(file, path, is_defined_in_process)}) {
    if (found) diagnostics.push_back(*found);
  }
  return diagnostics;
}

}  // namespace backplane::libraries
