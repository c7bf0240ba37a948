#include "inspection/borrowed_entry_points.hpp"
#include "inspection/dependency_closure.hpp"
#include "inspection/file_words.hpp"
#include "inspection/format.hpp"
#include "inspection/hygiene_checks.hpp"
#include "inspection/inspect_file.hpp"
#include "inspection/library_search.hpp"
#include "inspection/machine.hpp"
#include "inspection/undefined_symbols.hpp"
#include "inspection/version_checks.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <utility>

namespace backplane::inspection {
namespace {

constexpr std::size_t kMostNames = 10;

// "a, b and 3 more".
std::string JoinSome(std::vector<std::string> names) {
  if (names.size() > kMostNames) {
    const std::string rest = std::to_string(names.size() - kMostNames) + " more";
    names.resize(kMostNames);
    names.push_back(rest);
  }
  return JoinWithAnd(names);
}

std::string GetLastOfChain(const std::string& chain) {
  const std::size_t space = chain.rfind(' ');
  return space == std::string::npos ? chain : chain.substr(space + 1);
}

Diagnostic DescribeMissing(const std::vector<MissingLibrary>& missing, const std::string& path) {
  std::vector<std::string> names;
  std::string why;
  for (const MissingLibrary& library : missing) {
    names.push_back(GetLastOfChain(library.chain));
    why += (why.empty() ? "" : "; ") + library.chain + ": " +
           (library.not_taken.empty() ? "" : library.not_taken + "; ") + "searched " +
           (library.searched.empty() ? "nowhere" : library.searched);
  }
  const bool is_one = names.size() == 1;
  return DescribeFile(
      DiagnosticCode::kMissingDependency, path,
      "needs " + JoinSome(names) + ", which " + (is_one ? "was" : "were") + " not found", why,
      std::string("install ") + (is_one ? "it" : "them") + ", or put the directory where " +
          (is_one ? "it is" : "they are") + " into LD_LIBRARY_PATH or /etc/ld.so.conf.d");
}

std::string GetText(const SymbolReference& reference) {
  const std::string name = Demangle(reference.name);
  return reference.version.empty() ? name : name + " (version " + reference.version + ")";
}

Diagnostic DescribeUndefined(const std::vector<SymbolReference>& references,
                             std::vector<std::string> searched, const std::string& path) {
  std::vector<std::string> names(references.size());
  std::transform(references.begin(), references.end(), names.begin(), GetText);
  std::sort(names.begin(), names.end());
  const std::size_t count = names.size();
  return DescribeFile(
      DiagnosticCode::kUndefinedSymbol, path,
      "needs " + std::to_string(count) + (count == 1 ? " symbol" : " symbols") +
          " that nothing defines",
      "undefined: " + JoinSome(std::move(names)) +
          (searched.empty() ? "; it needs no libraries that could define them"
                            : "; searched " + JoinSome(std::move(searched))),
      "link the backend with the libraries that define them, and with -Wl,-z,defs to see such "
      "symbols when linking");
}

// Where symbols were looked for, in words.
std::vector<std::string> GetSearched(const DependencyClosure& closure,
                                     const IsDefinedInProcess& is_defined_in_process) {
  std::vector<std::string> searched;
  if (is_defined_in_process) searched.emplace_back("this program");
  for (const std::unique_ptr<Library>& library : closure.libraries) {
    searched.push_back(library->name);
  }
  return searched;
}

std::vector<SymbolReference> FindUndefined(std::vector<SymbolReference> references,
                                           const DependencyClosure& closure,
                                           const IsDefinedInProcess& is_defined_in_process) {
  RemoveDefined(closure, references);
  if (!is_defined_in_process) return references;
  const auto is_defined = [&](const SymbolReference& reference) {
    return is_defined_in_process(reference.name, reference.version);
  };
  references.erase(std::remove_if(references.begin(), references.end(), is_defined),
                   references.end());
  return references;
}

std::optional<Diagnostic> CheckSymbols(const Library& file, const DependencyClosure& closure,
                                       const std::string& path,
                                       const IsDefinedInProcess& is_defined_in_process) {
  std::optional<std::vector<SymbolReference>> references = ReadReferences(*file.elf);
  if (!references) return DescribeDamage(path, "relocations name symbols outside the file");
  const std::vector<SymbolReference> undefined =
      FindUndefined(std::move(*references), closure, is_defined_in_process);
  if (undefined.empty()) return std::nullopt;
  return DescribeUndefined(undefined, GetSearched(closure, is_defined_in_process), path);
}

std::vector<Diagnostic> CheckDependencies(const Library& file, const std::string& path,
                                          const IsDefinedInProcess& is_defined_in_process) {
  const LibrarySearch search(LoaderEnvironment::OfThisProcess());
  const DependencyClosure closure = FindDependencies(file, search);
  std::vector<Diagnostic> diagnostics = CheckBorrowedEntryPoints(file, closure, path);
  const auto add = [&diagnostics](std::optional<Diagnostic> diagnostic) {
    if (diagnostic) diagnostics.push_back(std::move(*diagnostic));
  };
  for (Diagnostic& diagnostic : CheckSymbolVersions(file, closure, path)) {
    diagnostics.push_back(std::move(diagnostic));
  }
  // Without all libraries nobody can say which symbols are missing.
  if (!closure.missing.empty()) {
    add(DescribeMissing(closure.missing, path));
  } else {
    add(CheckSymbols(file, closure, path, is_defined_in_process));
  }
  for (const HygieneCheck check : kHygieneChecks) add(check(file, closure, path));
  return diagnostics;
}

std::vector<Diagnostic> CheckDependenciesOfFile(int descriptor, const std::string& path,
                                                const std::string& canonical_path,
                                                const IsDefinedInProcess& is_defined_in_process) {
  FormatResult format = CheckFormat(descriptor, path);
  if (!format.elf) return std::move(format.diagnostics);
  // Its libraries are those of another machine as well.
  if (format.elf->GetHeader().e_machine != kHostMachine) return {};
  const LibraryRequester program = ReadProgram();
  Library file;
  file.name = GetFileName(canonical_path);
  file.path = canonical_path;
  file.elf = std::make_unique<ElfFile>(std::move(*format.elf));
  file.requester = ReadRequester(*file.elf, canonical_path);
  file.requester.needed_by = &program;
  return CheckDependencies(file, path, is_defined_in_process);
}

}  // namespace

StageOutcome InspectDependencies(int descriptor, const std::string& path,
                                 const std::string& canonical_path,
                                 const IsDefinedInProcess& is_defined_in_process) {
  const auto start = std::chrono::steady_clock::now();
  StageOutcome outcome;
  outcome.stage = Stage::kDependencies;
  outcome.diagnostics =
      CheckDependenciesOfFile(descriptor, path, canonical_path, is_defined_in_process);
  outcome.duration = std::chrono::steady_clock::now() - start;
  return outcome;
}

}  // namespace backplane::inspection
