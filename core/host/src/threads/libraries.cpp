#include <backplane/host/thread_places.hpp>

#include "threads/place_table.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace backplane {
namespace threads {
namespace {

/// From the first to behind the last byte of its segments.
LibraryRange FindRange(const dl_phdr_info& object) {
  LibraryRange range{};
  range.begin = ~std::uint64_t{0};
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t begin = object.dlpi_addr + segment.p_vaddr;
    range.begin = std::min(range.begin, begin);
    range.end = std::max<std::uint64_t>(range.end, begin + segment.p_memsz);
  }
  return range;
}

void CopyName(const char* path, LibraryRange& range) {
  const char* slash = std::strrchr(path, '/');
  const char* name = *path == '\0' ? "the program itself" : slash != nullptr ? slash + 1 : path;
  std::strncpy(range.name, name, LibraryRange::kMaxNameBytes - 1);
}

int AddLibrary(dl_phdr_info* object, std::size_t /*size*/, void* list) {
  auto& libraries = *static_cast<LibraryList*>(list);
  if (libraries.size == LibraryList::kMaxLibraries) return 1;
  LibraryRange range = FindRange(*object);
  if (range.begin >= range.end) return 0;
  CopyName(object->dlpi_name, range);
  libraries.ranges[libraries.size++] = range;
  return 0;
}

/// Fills the list that nobody reads.
void ListLibraries(PlaceTable& table) {
  const std::uint32_t next = 1 - (table.libraries.load(std::memory_order_relaxed) & 1U);
  table.lists[next].size = 0;
  dl_iterate_phdr(&AddLibrary, &table.lists[next]);
  table.libraries.store(next, std::memory_order_release);
}

}  // namespace

const LibraryRange* FindLibrary(const PlaceTable& table, std::uint64_t address) {
  const LibraryList& list = table.lists[table.libraries.load(std::memory_order_acquire) & 1U];
  const std::uint32_t size = std::min(list.size, LibraryList::kMaxLibraries);
  for (std::uint32_t i = 0; i < size; ++i) {
    const LibraryRange& range = list.ranges[i];
    if (address >= range.begin && address < range.end) return &range;
  }
  return nullptr;
}

}  // namespace threads

void NoteLibraries() {
  static std::mutex mutex;
  threads::PlaceTable* const table = threads::FindTableInUse();
  if (table == nullptr) return;
  const std::lock_guard<std::mutex> lock(mutex);
  threads::ListLibraries(*table);
}

}  // namespace backplane
