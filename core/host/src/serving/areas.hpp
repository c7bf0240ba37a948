#pragma once

#include "wire/file_descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <utility>

namespace backplane::serving {

/// The memory that the host shares with this process, by the host's numbers of its areas.
///
/// Threads: any.
class Areas {
 public:
  Areas() = default;
  Areas(const Areas&) = delete;
  Areas& operator=(const Areas&) = delete;

  /// Maps a file. Errors: false when it cannot be mapped, or is shorter, or another has the number.
  bool Add(std::uint64_t id, const wire::FileDescriptor& file, std::uint64_t size_bytes);
  void Drop(std::uint64_t id);
  /// The address of a place; the area stays mapped as long as it is held, also when it is dropped.
  /// Null: there is no such area, or it is not that large.
  std::shared_ptr<std::byte> Find(std::uint64_t id, std::uint64_t offset_bytes,
                                  std::uint64_t size_bytes) const;
  /// The area in which bytes lie, and where. Nothing: in none.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> FindPlace(const void* data) const;

 private:
  struct Area {
    std::shared_ptr<std::byte> data;
    std::uint64_t size_bytes = 0;
  };
  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, Area> areas_;
};

}  // namespace backplane::serving
