#include "libraries/loaded_libraries.hpp"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sys/stat.h>

#include <cstring>
#include <map>
#include <set>

namespace backplane::libraries {
namespace {

const ElfW(Dyn) * FindDynamicSection(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): this is how the loader gives it
    return reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
  }
  return nullptr;
}

/// The texts of all entries with this tag.
std::vector<std::string> ReadTexts(const dl_phdr_info& object, ElfW(Sxword) tag) {
  ElfW(Addr) strings = 0;
  std::vector<ElfW(Xword)> offsets;
  const ElfW(Dyn)* entry = FindDynamicSection(object);
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
    if (entry->d_tag == tag) offsets.push_back(entry->d_un.d_val);
  }
  if (strings == 0) return {};
  // The loader replaces the address in the file by that in memory, but not in every object.
  if (strings < object.dlpi_addr) strings += object.dlpi_addr;
  std::vector<std::string> texts;
  for (const ElfW(Xword) offset : offsets) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): as above
    texts.emplace_back(reinterpret_cast<const char*>(strings + offset));
  }
  return texts;
}

std::string ReadSonameOfLoaded(const dl_phdr_info& object) {
  const auto sonames = ReadTexts(object, DT_SONAME);
  return sonames.empty() ? std::string() : sonames.front();
}

bool HasAddress(const dl_phdr_info& object, std::uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    const bool is_inside =
        segment.p_type == PT_LOAD && address - object.dlpi_addr - segment.p_vaddr < segment.p_memsz;
    if (is_inside) return true;
  }
  return false;
}

/// A file of this process and what it needs, by name.
struct LoadedObject {
  std::string path;  // "": the program
  std::string soname;
  std::vector<std::string> needed;
  bool has_address = false;
};

struct LoadedObjects {
  std::uintptr_t address = 0;
  std::vector<LoadedObject> objects;  // the program first
};

int AddObject(dl_phdr_info* object, std::size_t /*size*/, void* found) {
  auto& list = *static_cast<LoadedObjects*>(found);
  list.objects.push_back({object->dlpi_name != nullptr ? object->dlpi_name : "",
                          ReadSonameOfLoaded(*object), ReadTexts(*object, DT_NEEDED),
                          HasAddress(*object, list.address)});
  return 0;
}

int AddLoaded(dl_phdr_info* object, std::size_t /*size*/, void* libraries) {
  if (object->dlpi_name == nullptr || object->dlpi_name[0] != '/') return 0;
  static_cast<std::vector<LoadedLibrary>*>(libraries)->push_back(
      {ReadSonameOfLoaded(*object), object->dlpi_name});
  return 0;
}

bool HasStaticTls(const dl_phdr_info& object) {
  const ElfW(Dyn)* entry = FindDynamicSection(object);
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_FLAGS) return (entry->d_un.d_val & DF_STATIC_TLS) != 0;
  }
  return false;
}

// The static blocks lie before the address that is the same for all of a thread; others lie
// anywhere, and of those that this thread has not used yet the loader does not tell the address.
int AddTls(dl_phdr_info* object, std::size_t /*size*/, void* result) {
  auto& tls = *static_cast<LoadedTls*>(result);
  const ElfW(Phdr)* segment = nullptr;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    if (object->dlpi_phdr[i].p_type == PT_TLS) segment = &object->dlpi_phdr[i];
  }
  if (segment == nullptr) return 0;
  const auto end = static_cast<std::uintptr_t>(pthread_self());
  const auto begin = reinterpret_cast<std::uintptr_t>(object->dlpi_tls_data);
  if (begin < end && end - begin <= tls.most_static_bytes) {
    if (end - begin < tls.static_bytes) return 0;
    tls.static_bytes = end - begin;
    tls.later.clear();
  } else if (begin == 0 && HasStaticTls(*object)) {
    tls.later.push_back({segment->p_memsz, segment->p_align});
  }
  return 0;
}

bool IsSameFile(const std::string& a, const std::string& b) {
  if (a == b) return true;
  struct stat status_a {};
  struct stat status_b {};
  if (stat(a.c_str(), &status_a) != 0 || stat(b.c_str(), &status_b) != 0) return true;
  return status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino;
}

}  // namespace

std::vector<LoadedLibrary> ListLoadedLibraries() {
  std::vector<LoadedLibrary> libraries;
  dl_iterate_phdr(AddLoaded, &libraries);
  return libraries;
}

std::vector<LoadedLibrary> ListLoadedNeeds(const void* address) {
  LoadedObjects loaded;
  loaded.address = reinterpret_cast<std::uintptr_t>(address);
  dl_iterate_phdr(AddObject, &loaded);
  std::map<std::string, const LoadedObject*> by_name;
  std::vector<const LoadedObject*> found;
  for (const LoadedObject& object : loaded.objects) {
    by_name.emplace(object.soname.empty() ? object.path : object.soname, &object);
    const bool is_wanted = address == nullptr ? found.empty() : object.has_address;
    if (is_wanted) found.push_back(&object);
  }
  std::set<const LoadedObject*> seen(found.begin(), found.end());
  std::vector<LoadedLibrary> libraries;
  for (std::size_t i = 0; i < found.size(); ++i) {
    libraries.push_back({found[i]->soname, found[i]->path});
    for (const std::string& name : found[i]->needed) {
      const auto object = by_name.find(name);
      const bool is_new = object != by_name.end() && seen.insert(object->second).second;
      if (is_new) found.push_back(object->second);
    }
  }
  return libraries;
}

LoadedTls ReadLoadedTls(std::uint64_t most_static_bytes) {
  LoadedTls tls;
  tls.most_static_bytes = most_static_bytes;
  dl_iterate_phdr(AddTls, &tls);
  return tls;
}

const LoadedLibrary* FindReplacement(const Library& library,
                                     const std::vector<LoadedLibrary>& loaded) {
  for (const LoadedLibrary& other : loaded) {
    if (other.soname != library.name) continue;
    return IsSameFile(other.path, library.object->path) ? nullptr : &other;
  }
  return nullptr;
}

}  // namespace backplane::libraries
