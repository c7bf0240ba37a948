#include "libraries/dependency_closure.hpp"

#include "diagnostics/file_words.hpp"
#include "libraries/loaded_libraries.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace backplane::libraries {
namespace {

std::string DescribeChain(const Library& needed_by, const std::string& name) {
  constexpr std::size_t kMost = 20;  // that are told
  std::vector<const Library*> libraries;
  for (const Library* library = &needed_by; library->needed_by != nullptr;
       library = library->needed_by) {
    libraries.push_back(library);
  }
  std::string chain;
  for (std::size_t i = libraries.size(); i-- > 0;) {
    const std::size_t place = libraries.size() - i;
    if (place < kMost) chain += diagnostics::Shorten(libraries[i]->name) + " -> ";
    if (place == kMost) chain += "... -> ";
  }
  return chain + diagnostics::Shorten(name);
}

// Walks breadth first, as the loader does, because the first library of a name serves all.
class ClosureWalk {
 public:
  ClosureWalk(const LibrarySearch& search, SharedObjects& objects)
      : search_(search), objects_(objects) {}

  DependencyClosure Run(const Library& file) {
    Remember(file);
    AddNeeded(file);
    for (std::size_t i = 0; i < closure_.libraries.size(); ++i) AddNeeded(*closure_.libraries[i]);
    FindReplaced();
    return std::move(closure_);
  }

 private:
  void Remember(const Library& library) {
    known_names_.insert(library.name);
    if (!library.object->soname.empty()) known_names_.insert(library.object->soname);
  }

  void AddNeeded(const Library& library) {
    for (const std::string& name : library.object->needed) {
      if (IsBeyondLimit()) return;
      if (known_names_.insert(name).second) Add(name, library);
    }
  }

  void Add(const std::string& name, const Library& needed_by) {
    FoundLibrary found =
        FindLibrary(name, needed_by.requester, search_, objects_, closure_.num_places);
    if (IsBeyondLimit()) return;
    if (!found.object) {
      closure_.missing.push_back({DescribeChain(needed_by, name), found.place.searched,
                                  found.not_taken, name, found.is_of_other_machine, found.refusal});
      return;
    }
    auto library = std::make_unique<Library>();
    library->name = name;
    library->needed_by = &needed_by;
    library->object = std::move(found.object);
    library->found_in = found.place.found_in;
    library->is_from_library_path = found.place.is_from_library_path;
    library->requester = library->object->requester;
    library->requester.needed_by = &needed_by.requester;
    Remember(*library);
    closure_.libraries.push_back(std::move(library));
  }

  bool IsBeyondLimit() {
    if (closure_.num_places > elf::GetMost(elf::Limit::kSearchedPlaces)) {
      closure_.exceeded = elf::Limit::kSearchedPlaces;
    } else if (closure_.libraries.size() + closure_.missing.size() >
               elf::GetMost(elf::Limit::kLibraries)) {
      closure_.exceeded = elf::Limit::kLibraries;
    }
    return closure_.exceeded.has_value();
  }

  void FindReplaced() {
    const std::vector<LoadedLibrary> loaded = ListLoadedLibraries();
    for (const std::unique_ptr<Library>& library : closure_.libraries) {
      const LoadedLibrary* other = FindReplacement(*library, loaded);
      if (other != nullptr) closure_.replaced.push_back({library.get(), other->path});
    }
  }

  const LibrarySearch& search_;
  SharedObjects& objects_;
  DependencyClosure closure_;
  std::set<std::string> known_names_;
};

}  // namespace

bool DependencyClosure::IsReplaced(const Library& library) const {
  return std::any_of(replaced.begin(), replaced.end(),
                     [&library](const ReplacedLibrary& row) { return row.library == &library; });
}

FoundLibrary FindLibrary(const std::string& name, const elf::LibraryRequester& requester,
                         const LibrarySearch& search, SharedObjects& objects,
                         std::uint64_t& num_places) {
  FoundLibrary found;
  const auto is_usable = [&](const std::string& path) {
    if (++num_places > elf::GetMost(elf::Limit::kSearchedPlaces)) return false;
    const FoundFile& file = objects.Get(path);
    if (!file.fault.empty()) {
      found.not_taken = file.fault;
      found.is_of_other_machine = file.is_of_other_machine;
      found.refusal = file.refusal;
    }
    found.object = file.object;
    return file.ends_search;
  };
  found.place = search.Find(name, requester, is_usable);
  return found;
}

DependencyClosure FindDependencies(const Library& file, const LibrarySearch& search,
                                   SharedObjects& objects) {
  return ClosureWalk(search, objects).Run(file);
}

}  // namespace backplane::libraries
