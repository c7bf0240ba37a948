#include "report/collect_facts.hpp"

#include "backend/shared_library.hpp"
#include "diagnostics/file_words.hpp"
#include "elf/machine.hpp"
#include "libraries/dependency_closure.hpp"
#include "libraries/library_search.hpp"
#include "libraries/undefined_symbols.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace backplane::report {
namespace {

NeededLibrary MakeFound(const libraries::Library& library,
                        const libraries::DependencyClosure& closure) {
  NeededLibrary found{library.name, library.object->path, library.found_in, library.object->needed};
  for (const libraries::ReplacedLibrary& replaced : closure.replaced) {
    if (replaced.library != &library) continue;
    found.found_in = "this program has it already, instead of " + library.object->path;
    found.path = replaced.replacement;
  }
  return found;
}

NeededLibrary MakeMissing(const libraries::MissingLibrary& library) {
  const std::string searched = library.searched.empty() ? "nowhere" : library.searched;
  return {library.name,
          "",
          (library.not_taken.empty() ? "" : library.not_taken + "; ") + "searched " + searched,
          {}};
}

void AddSymbols(const elf::File& elf, const libraries::DependencyClosure& closure,
                FileFacts& facts) {
  auto references = libraries::ReadReferences(elf);
  if (!references) return;
  facts.num_symbols_needed = references->size();
  if (!libraries::RemoveDefined(closure, *references)) return;
  facts.num_symbols_undefined = static_cast<std::size_t>(std::count_if(
      references->begin(), references->end(), [](const libraries::SymbolReference& reference) {
        return !reference.is_weak && !backend::IsDefinedInProcess(std::string(reference.name),
                                                                  std::string(reference.version));
      }));
}

}  // namespace

void AddLibraryFacts(elf::File elf, const std::string& canonical_path, FileFacts& facts) {
  // Its libraries are those of another machine as well.
  if (elf.GetHeader().e_machine != elf::kHostMachine) return;
  const elf::LibraryRequester program = libraries::ReadProgram();
  libraries::Library file;
  file.name = diagnostics::GetFileName(canonical_path);
  file.object = libraries::ReadSharedObject(canonical_path, wire::FileDescriptor(), std::move(elf));
  file.requester = file.object->requester;
  file.requester.needed_by = &program;
  const libraries::LibrarySearch search(libraries::LoaderEnvironment::OfThisProcess());
  libraries::SharedObjects objects;
  const auto closure = libraries::FindDependencies(file, search, objects);
  for (const auto& library : closure.libraries) {
    facts.libraries.push_back(MakeFound(*library, closure));
  }
  for (const auto& library : closure.missing) facts.libraries.push_back(MakeMissing(library));
  AddSymbols(*file.object->elf, closure, facts);
}

}  // namespace backplane::report
