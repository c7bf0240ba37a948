#include "inspection/loaded_libraries.hpp"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include <cstring>

namespace backplane::inspection {
namespace {

const ElfW(Dyn) * FindDynamicSection(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): this is how the loader gives it
    return reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
  }
  return nullptr;
}

std::string ReadSonameOfLoaded(const dl_phdr_info& object) {
  const ElfW(Dyn)* entry = FindDynamicSection(object);
  ElfW(Addr) strings = 0;
  bool has_soname = false;
  ElfW(Xword) soname = 0;
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
    if (entry->d_tag != DT_SONAME) continue;
    has_soname = true;
    soname = entry->d_un.d_val;
  }
  if (!has_soname || strings == 0) return {};
  // The loader replaces the address in the file by that in memory, but not in every object.
  if (strings < object.dlpi_addr) strings += object.dlpi_addr;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): as above
  return reinterpret_cast<const char*>(strings + soname);
}

int AddLoaded(dl_phdr_info* object, std::size_t /*size*/, void* libraries) {
  if (object->dlpi_name == nullptr || object->dlpi_name[0] != '/') return 0;
  std::string soname = ReadSonameOfLoaded(*object);
  if (soname.empty()) return 0;
  static_cast<std::vector<LoadedLibrary>*>(libraries)->push_back(
      {std::move(soname), object->dlpi_name});
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

const LoadedLibrary* FindReplacement(const Library& library,
                                     const std::vector<LoadedLibrary>& loaded) {
  for (const LoadedLibrary& other : loaded) {
    if (other.soname != library.name) continue;
    return IsSameFile(other.path, library.object->path) ? nullptr : &other;
  }
  return nullptr;
}

}  // namespace backplane::inspection
