#include "inspection/loaded_libraries.hpp"

#include <elf.h>
#include <link.h>
#include <pthread.h>
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

}  // namespace backplane::inspection
