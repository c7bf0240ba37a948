#include "facts/library_facts.hpp"

#include "inspection/dependency_closure.hpp"
#include "inspection/file_words.hpp"
#include "inspection/library_search.hpp"
#include "inspection/loaded_libraries.hpp"
#include "inspection/machine.hpp"
#include "inspection/undefined_symbols.hpp"
#include "opening/shared_library.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace backplane::facts {
namespace {

NeededLibrary MakeFound(const inspection::Library& library,
                        const std::vector<inspection::LoadedLibrary>& loaded) {
  NeededLibrary found{library.name, library.path, library.found_in,
                      inspection::ReadNeeded(*library.elf)};
  if (const auto* replacement = inspection::FindReplacement(library, loaded)) {
    found.found_in = "this program has it already, instead of " + library.path;
    found.path = replacement->path;
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
  inspection::RemoveDefined(closure, *references);
  facts.num_symbols_undefined = static_cast<std::size_t>(std::count_if(
      references->begin(), references->end(), [](const inspection::SymbolReference& reference) {
        return !opening::IsDefinedInProcess(reference.name, reference.version);
      }));
}

}  // namespace

void AddLibraryFacts(inspection::ElfFile elf, const std::string& canonical_path, FileFacts& facts) {
  // Its libraries are those of another machine as well.
  if (elf.GetHeader().e_machine != inspection::kHostMachine) return;
  const inspection::LibraryRequester program = inspection::ReadProgram();
  inspection::Library file;
  file.name = inspection::GetFileName(canonical_path);
  file.path = canonical_path;
  file.elf = std::make_unique<inspection::ElfFile>(std::move(elf));
  file.requester = inspection::ReadRequester(*file.elf, canonical_path);
  file.requester.needed_by = &program;
  const inspection::LibrarySearch search(inspection::LoaderEnvironment::OfThisProcess());
  const auto closure = inspection::FindDependencies(file, search);
  const auto loaded = inspection::ListLoadedLibraries();
  for (const auto& library : closure.libraries) {
    facts.libraries.push_back(MakeFound(*library, loaded));
  }
  for (const auto& library : closure.missing) facts.libraries.push_back(MakeMissing(library));
  AddSymbols(*file.elf, closure, facts);
}

}  // namespace backplane::facts
