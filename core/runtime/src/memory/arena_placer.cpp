#include "memory/arena_placer.hpp"

#include "memory/placement_orders.hpp"

#include <algorithm>

namespace backplane {

namespace {

// Sorting the ranges of a neighbour costs about as much as looking at so many of the others.
constexpr std::uint64_t kCostOfNeighbour = 8;

// Of each lifetime, those that begin before it ends; without those that ended before it began.
std::uint64_t CountPairsAliveAtOnce(const std::vector<TensorLifetime>& lifetimes) {
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> ends;
  for (const TensorLifetime& lifetime : lifetimes) {
    begins.push_back(lifetime.first_step);
    ends.push_back(lifetime.last_step);
  }
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());
  std::uint64_t pairs = 0;
  std::size_t num_ended = 0;
  for (std::size_t num_begun = 0; num_begun < begins.size(); ++num_begun) {
    while (ends[num_ended] < begins[num_begun]) ++num_ended;
    pairs += num_begun - num_ended;
  }
  return pairs;
}

}  // namespace

ArenaPlacer::ArenaPlacer(const std::vector<TensorLifetime>& lifetimes) : lifetimes_(lifetimes) {
  const std::uint64_t count = lifetimes.size();
  const std::uint64_t with_all = count * count / 2;
  const std::uint64_t with_neighbours =
      count + CountPairsAliveAtOnce(lifetimes) * 2 * kCostOfNeighbour;
  has_few_neighbours_ = with_neighbours < with_all;
  cost_ = std::min(with_neighbours, with_all);
}

ArenaPlacement ArenaPlacer::Place(const PlacementOrder& order) {
  if (has_few_neighbours_ && first_neighbour_.empty()) FindNeighbours();
  is_placed_.assign(lifetimes_.size(), 0);
  placed_.clear();
  ArenaPlacement placement;
  placement.offsets.resize(lifetimes_.size());
  for (const std::uint32_t index : order) {
    taken_.clear();
    if (has_few_neighbours_) {
      CollectFromNeighbours(index, placement);
    } else {
      CollectFromAll(index, placement);
    }
    const std::uint64_t size_bytes = lifetimes_[index].size_bytes;
    const std::uint64_t offset = FindLowestOffset(size_bytes);
    placement.offsets[index] = offset;
    placement.arena_bytes = std::max(placement.arena_bytes, offset + size_bytes);
    Remember(index, placement);
  }
  return placement;
}

std::vector<std::uint32_t> ArenaPlacer::GetNeighbours(std::uint32_t index) {
  if (has_few_neighbours_) {
    if (first_neighbour_.empty()) FindNeighbours();
    const auto begin = neighbours_.begin();
    return {begin + static_cast<std::ptrdiff_t>(first_neighbour_[index]),
            begin + static_cast<std::ptrdiff_t>(first_neighbour_[index + 1])};
  }
  std::vector<std::uint32_t> neighbours;
  for (std::uint32_t other = 0; other < lifetimes_.size(); ++other) {
    const bool is_other = other != index;
    if (is_other && AreAliveAtOnce(lifetimes_[index], lifetimes_[other])) {
      neighbours.push_back(other);
    }
  }
  return neighbours;
}

void ArenaPlacer::FindNeighbours() {
  std::vector<std::vector<std::uint32_t>> lists(lifetimes_.size());
  std::vector<std::uint32_t> alive;
  for (const std::uint32_t index : OrderByFirstStep(lifetimes_)) {
    const auto has_ended = [&](std::uint32_t other) {
      return lifetimes_[other].last_step < lifetimes_[index].first_step;
    };
    alive.erase(std::remove_if(alive.begin(), alive.end(), has_ended), alive.end());
    for (const std::uint32_t other : alive) {
      lists[index].push_back(other);
      lists[other].push_back(index);
    }
    alive.push_back(index);
  }
  first_neighbour_.push_back(0);
  for (const std::vector<std::uint32_t>& list : lists) {
    neighbours_.insert(neighbours_.end(), list.begin(), list.end());
    first_neighbour_.push_back(neighbours_.size());
  }
}

void ArenaPlacer::CollectFromNeighbours(std::uint32_t index, const ArenaPlacement& placement) {
  for (std::uint64_t i = first_neighbour_[index]; i < first_neighbour_[index + 1]; ++i) {
    const std::uint32_t other = neighbours_[i];
    if (is_placed_[other] == 0) continue;
    const std::uint64_t offset = placement.offsets[other];
    taken_.push_back({offset, offset + lifetimes_[other].size_bytes});
  }
  std::sort(taken_.begin(), taken_.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

void ArenaPlacer::CollectFromAll(std::uint32_t index, const ArenaPlacement& placement) {
  for (const std::uint32_t other : placed_) {
    if (!AreAliveAtOnce(lifetimes_[index], lifetimes_[other])) continue;
    const std::uint64_t offset = placement.offsets[other];
    taken_.push_back({offset, offset + lifetimes_[other].size_bytes});
  }
}

void ArenaPlacer::Remember(std::uint32_t index, const ArenaPlacement& placement) {
  if (has_few_neighbours_) {
    is_placed_[index] = 1;
    return;
  }
  const auto behind = std::upper_bound(
      placed_.begin(), placed_.end(), placement.offsets[index],
      [&](std::uint64_t offset, std::uint32_t other) { return offset < placement.offsets[other]; });
  placed_.insert(behind, index);
}

std::uint64_t ArenaPlacer::FindLowestOffset(std::uint64_t size_bytes) const {
  std::uint64_t end = 0;
  for (const Range& range : taken_) {
    if (range.begin >= end + size_bytes) break;
    end = std::max(end, range.end);
  }
  return end;
}

}  // namespace backplane
