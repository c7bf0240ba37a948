#include "subgraphs/place_intermediates.hpp"

#include <algorithm>
#include <numeric>

namespace backplane {
namespace opencl {
namespace {

bool AreUsedTogether(const UsedMemory& a, const UsedMemory& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

}  // namespace

// The largest first, each at the lowest place that is free.
std::vector<Intermediate> PlaceIntermediates(const std::vector<UsedMemory>& memories,
                                             std::uint64_t alignment_bytes) {
  std::vector<std::size_t> order(memories.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return memories[a].size_bytes > memories[b].size_bytes;
  });
  std::vector<Intermediate> places(memories.size());
  std::vector<std::size_t> placed;  // by their offsets
  for (const std::size_t index : order) {
    Intermediate& place = places[index];
    place.size_bytes =
        (memories[index].size_bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
    for (const std::size_t other : placed) {
      if (!AreUsedTogether(memories[index], memories[other])) continue;
      if (place.offset_bytes + place.size_bytes <= places[other].offset_bytes) break;
      place.offset_bytes =
          std::max(place.offset_bytes, places[other].offset_bytes + places[other].size_bytes);
    }
    placed.insert(std::upper_bound(placed.begin(), placed.end(), index,
                                   [&](std::size_t a, std::size_t b) {
                                     return places[a].offset_bytes < places[b].offset_bytes;
                                   }),
                  index);
  }
  return places;
}

}  // namespace opencl
}  // namespace backplane
