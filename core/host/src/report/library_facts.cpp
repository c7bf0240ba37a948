#include "report/collect_facts.hpp"

#include "backend/shared_library.hpp"
#include "inspection/dependency_closure.hpp"
#include "inspection/file_words.hpp"
#include "inspection/library_search.hpp"
#include "inspection/machine.hpp"
#include "inspection/undefined_symbols.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace backplane::report {
namespace {

NeededLibrary MakeFound(const inspection::Library& library,
                        const inspection::DependencyClosure& closure) {
  NeededLibrary found{library.name, library.object->path, library.found_in, library.object->needed};
  for (const inspection::ReplacedLibrary& replaced : closure.replaced) {
    if (replaced.library != &library) continue;
    found.found_in = "this program has it already, instead of " + library.object->path;
    found.path = replaced.replacement;
  }
  return found;
}

NeededLibrary MakeMissing(const inspection::MissingLibrary& library) {
  const std::string searched = library.searched.empty() ? "nowhere" : library.searched;
  return {library.name,
          "",
          (library.not_taken.empty() ? "" : library.not_taken + "; ") + "searched " + searched,
          {}};
}

void AddSymbols(const inspection::ElfFile& elf, const inspection::DependencyClosure& closure,
                FileFacts& facts) {
  auto references = inspection::ReadReferences(elf);
  if (!references) return;
  facts.num_symbols_needed = references->size();
  if (!inspection::RemoveDefined(closure, *references)) return;
  facts.num_symbols_undefined = static_cast<std::size_t>(std::count_if(
      references->begin(), references->end(), [](const inspection::SymbolReference& reference) {
        return !reference.is_weak && !backend::IsDefinedInProcess(std::string(reference.name),
                                                                  std::string(reference.version));
      }));
}

}  // namespace

void AddLibraryFacts(inspection::ElfFile elf, const std::string& canonical_path, FileFacts& facts) {
  // Its libraries are those of another machine as well.
  if (elf.GetHeader().e_machine != inspection::kHostMachine) return;
  const inspection::LibraryRequester program = inspection::ReadProgram();
  inspection::Library file;
  file.name = inspection::GetFileName(canonical_path);
  file.object =
      inspection::ReadSharedObject(canonical_path, wire::FileDescriptor(), std::move(elf));
  file.requester = file.object->requester;
  file.requester.needed_by = &program;
  const inspection::LibrarySearch search(inspection::LoaderEnvironment::OfThisProcess());
  inspection::SharedObjects objects;
  const auto closure = inspection::FindDependencies(file, search, objects);
  for (const auto& library : closure.libraries) {
    facts.libraries.push_back(MakeFound(*library, closure));
  }
  for (const auto& library : closure.missing) facts.libraries.push_back(MakeMissing(library));
  AddSymbols(*file.object->elf, closure, facts);
}

}  // namespace backplane::report
