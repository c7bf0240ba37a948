#pragma once

#include "wire/file_descriptor.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>

namespace backplane::serving {

/// The memory that the host shares with this process, by the host's numbers of its areas.
///
/// Threads: any.
class Areas {
 public:
  /// Maps a file. Errors: false when it cannot be mapped, or is shorter, or another has the number.
  bool Add(std::uint64_t id, const wire::FileDescriptor& file, std::uint64_t size_bytes) {
    struct stat status {};
    // Pages behind the end of a file cannot be touched.
    const bool is_there = fstat(file.Get(), &status) == 0 && size_bytes != 0 &&
                          size_bytes <= static_cast<std::uint64_t>(status.st_size);
    if (!is_there) return false;
    void* data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.Get(), 0);
    // A file that may only be read is sealed.
    if (data == MAP_FAILED) {
      data = mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, file.Get(), 0);
    }
    if (data == MAP_FAILED) return false;
    // A copy of the process, made by fork, would write into later runs.
    madvise(data, size_bytes, MADV_DONTFORK);
    std::shared_ptr<std::byte> mapped(
        static_cast<std::byte*>(data),
        [size_bytes](std::byte* begin) { munmap(begin, size_bytes); });
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    // Somebody may be in the memory that has this number.
    return areas_.try_emplace(id, Area{std::move(mapped), size_bytes}).second;
  }
  void Drop(std::uint64_t id) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    areas_.erase(id);
  }
  /// The address of a place; the area stays mapped as long as it is held, also when it is dropped.
  /// Null: there is no such area, or it is not that large.
  std::shared_ptr<std::byte> Find(std::uint64_t id, std::uint64_t offset_bytes,
                                  std::uint64_t size_bytes) const {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    const auto found = areas_.find(id);
    if (found == areas_.end()) return nullptr;
    const Area& area = found->second;
    const bool fits =
        offset_bytes <= area.size_bytes && size_bytes <= area.size_bytes - offset_bytes;
    if (!fits) return nullptr;
    return {area.data, area.data.get() + offset_bytes};
  }
  /// The area in which bytes lie, and where. Nothing: in none.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> FindPlace(const void* data) const {
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

 private:
  struct Area {
    std::shared_ptr<std::byte> data;
    std::uint64_t size_bytes = 0;
  };
  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, Area> areas_;
};

}  // namespace backplane::serving
