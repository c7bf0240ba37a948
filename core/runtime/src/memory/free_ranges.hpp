#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace backplane {

/// The parts of a growing block that are free. Each call takes the logarithm of their number.
class FreeRanges {
 public:
  /// Takes the smallest free range that fits, or else the end of the block; gives its offset.
  std::uint64_t Take(std::uint64_t size_bytes);

  /// Gives back what was taken; neighbours that are free become one range.
  void GiveBack(std::uint64_t offset, std::uint64_t size_bytes);

 private:
  void Insert(std::uint64_t offset, std::uint64_t size_bytes);
  void Erase(std::uint64_t offset, std::uint64_t size_bytes);

  std::uint64_t end_ = 0;  // behind it everything is free
  std::map<std::uint64_t, std::uint64_t> size_at_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  // size and offset
};

}  // namespace backplane
