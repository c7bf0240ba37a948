#include "serving/areas.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <mutex>
#include <utility>

namespace backplane::serving {

bool Areas::Add(std::uint64_t id, const wire::FileDescriptor& file, std::uint64_t size_bytes) {
  struct stat status {};
  // What is mapped behind the end of a file cannot be touched.
  const bool is_there = fstat(file.Get(), &status) == 0 && size_bytes != 0 &&
                        size_bytes <= static_cast<std::uint64_t>(status.st_size);
  if (!is_there) return false;
  void* data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.Get(), 0);
  // What may only be read is sealed.
  if (data == MAP_FAILED) {
    data = mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, file.Get(), 0);
  }
  if (data == MAP_FAILED) return false;
  // A copy of the process, made by fork, would write into later runs.
  madvise(data, size_bytes, MADV_DONTFORK);
  std::shared_ptr<std::byte> mapped(static_cast<std::byte*>(data),
                                    [size_bytes](std::byte* begin) { munmap(begin, size_bytes); });
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  // Somebody may be in the memory that has this number.
  return areas_.try_emplace(id, Area{std::move(mapped), size_bytes}).second;
}

void Areas::Drop(std::uint64_t id) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  areas_.erase(id);
}

std::shared_ptr<std::byte> Areas::Find(std::uint64_t id, std::uint64_t offset_bytes,
                                       std::uint64_t size_bytes) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto found = areas_.find(id);
  if (found == areas_.end()) return nullptr;
  const Area& area = found->second;
  const bool fits = offset_bytes <= area.size_bytes && size_bytes <= area.size_bytes - offset_bytes;
  if (!fits) return nullptr;
  return {area.data, area.data.get() + offset_bytes};
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> Areas::FindPlace(const void* data) const {
  const auto* const address = static_cast<const std::byte*>(data);
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  for (const auto& [id, area] : areas_) {
    const std::byte* const begin = area.data.get();
    if (address >= begin && address < begin + area.size_bytes) {
      return std::make_pair(id, static_cast<std::uint64_t>(address - begin));
    }
  }
  return std::nullopt;
}

}  // namespace backplane::serving
