#include "memory/place_along_steps.hpp"

#include "memory/free_ranges.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace backplane {

namespace {

// A run backwards is one in which steps are counted from the other end.
std::vector<TensorLifetime> Reverse(std::vector<TensorLifetime> lifetimes) {
  constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();
  for (TensorLifetime& lifetime : lifetimes) {
    const std::uint32_t first_step = kLast - lifetime.last_step;
    lifetime.last_step = kLast - lifetime.first_step;
    lifetime.first_step = first_step;
  }
  return lifetimes;
}

ArenaPlacement PlaceForward(const std::vector<TensorLifetime>& lifetimes) {
  PlacementOrder begins(lifetimes.size());
  std::iota(begins.begin(), begins.end(), 0U);
  PlacementOrder ends = begins;
  // Of those that begin together the large ones first, while large ranges are whole.
  std::stable_sort(begins.begin(), begins.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (lifetimes[a].first_step != lifetimes[b].first_step) {
      return lifetimes[a].first_step < lifetimes[b].first_step;
    }
    return lifetimes[a].size_bytes > lifetimes[b].size_bytes;
  });
  std::stable_sort(ends.begin(), ends.end(), [&](std::uint32_t a, std::uint32_t b) {
    return lifetimes[a].last_step < lifetimes[b].last_step;
  });

  ArenaPlacement placement;
  placement.offsets.resize(lifetimes.size());
  FreeRanges free;
  auto ended = ends.begin();
  for (const std::uint32_t index : begins) {
    const TensorLifetime& lifetime = lifetimes[index];
    for (; lifetimes[*ended].last_step < lifetime.first_step; ++ended) {
      free.GiveBack(placement.offsets[*ended], lifetimes[*ended].size_bytes);
    }
    const std::uint64_t offset = free.Take(lifetime.size_bytes);
    placement.offsets[index] = offset;
    placement.arena_bytes = std::max(placement.arena_bytes, offset + lifetime.size_bytes);
  }
  return placement;
}

}  // namespace

ArenaPlacement PlaceAlongSteps(const std::vector<TensorLifetime>& lifetimes,
                               StepDirection direction) {
  return PlaceForward(direction == StepDirection::kForward ? lifetimes : Reverse(lifetimes));
}

}  // namespace backplane
