#include "memory/free_ranges.hpp"

#include <iterator>

namespace backplane {

std::uint64_t FreeRanges::Take(std::uint64_t size_bytes) {
  const auto smallest = by_size_.lower_bound({size_bytes, 0});
  if (smallest == by_size_.end()) {
    const std::uint64_t offset = end_;
    end_ += size_bytes;
    return offset;
  }
  const auto [range_bytes, offset] = *smallest;
  Erase(offset, range_bytes);
  if (range_bytes > size_bytes) Insert(offset + size_bytes, range_bytes - size_bytes);
  return offset;
}

void FreeRanges::GiveBack(std::uint64_t offset, std::uint64_t size_bytes) {
  const auto next = size_at_.lower_bound(offset);
  if (next != size_at_.begin()) {
    const auto [previous, previous_bytes] = *std::prev(next);
    if (previous + previous_bytes == offset) {
      Erase(previous, previous_bytes);
      offset = previous;
      size_bytes += previous_bytes;
    }
  }
  const auto behind = size_at_.find(offset + size_bytes);
  if (behind != size_at_.end()) {
    const std::uint64_t behind_bytes = behind->second;
    Erase(offset + size_bytes, behind_bytes);
    size_bytes += behind_bytes;
  }
  if (offset + size_bytes == end_) {
    end_ = offset;
  } else {
    Insert(offset, size_bytes);
  }
}

void FreeRanges::Insert(std::uint64_t offset, std::uint64_t size_bytes) {
  size_at_.emplace(offset, size_bytes);
  by_size_.emplace(size_bytes, offset);
}

void FreeRanges::Erase(std::uint64_t offset, std::uint64_t size_bytes) {
  size_at_.erase(offset);
  by_size_.erase({size_bytes, offset});
}

}  // namespace backplane
