#include "memory/arena_plan.hpp"

#include "memory/free_ranges.hpp"
#include "memory/placement_orders.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace backplane {
namespace {

bool AreAliveAtOnce(const TensorLifetime& a, const TensorLifetime& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

/// From which end of the run lifetimes are met.
enum class StepDirection { kForward, kBackward };

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

// Places lifetimes as an allocator would that sees one step after the other: what begins takes the
// smallest free range, what ends gives it back. n log n, however many are alive at once.
ArenaPlacement PlaceAlongSteps(const std::vector<TensorLifetime>& lifetimes,
                               StepDirection direction) {
  return PlaceForward(direction == StepDirection::kForward ? lifetimes : Reverse(lifetimes));
}

/// Places lifetimes in any order: each as low as it can lie beside those placed before that are
/// alive at the same time.
class ArenaPlacer {
 public:
  /// Borrows the lifetimes.
  explicit ArenaPlacer(const std::vector<TensorLifetime>& lifetimes);

  /// About how many memory accesses one placement takes. Between n and the square of n; computed
  /// without placing anything.
  std::uint64_t GetCost() const { return cost_; }

  /// `order` holds every index once.
  ArenaPlacement Place(const PlacementOrder& order);

  /// The lifetimes that are alive at the same time as one, in no particular order.
  std::vector<std::uint32_t> GetNeighbours(std::uint32_t index);

 private:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };

  void FindNeighbours();
  void CollectFromNeighbours(std::uint32_t index, const ArenaPlacement& placement);
  void CollectFromAll(std::uint32_t index, const ArenaPlacement& placement);
  void Remember(std::uint32_t index, const ArenaPlacement& placement);
  std::uint64_t FindLowestOffset(std::uint64_t size_bytes) const;

  const std::vector<TensorLifetime>& lifetimes_;
  std::uint64_t cost_ = 0;
  bool has_few_neighbours_ = false;
  // With few neighbours: of each, from first_neighbour_[i] to first_neighbour_[i + 1].
  std::vector<std::uint64_t> first_neighbour_;
  std::vector<std::uint32_t> neighbours_;
  std::vector<std::uint8_t> is_placed_;
  // With many: those placed, by offset.
  std::vector<std::uint32_t> placed_;
  std::vector<Range> taken_;  // of those alive at the same time, by offset
};

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

// So many memory accesses are allowed for any network, and so many more for each lifetime and each
// doubling of their number: about a millisecond, and 100 nanoseconds.
constexpr std::uint64_t kAllowedWork = 500'000;
constexpr std::uint64_t kAllowedWorkOfEach = 32;

// How often the order that one order is improved into is changed.
constexpr int kMaxChanges = 60;

std::uint64_t ComputeAllowedWork(std::uint64_t count) {
  std::uint64_t doublings = 0;
  while ((count >> doublings) > 1) ++doublings;
  return kAllowedWork + kAllowedWorkOfEach * count * doublings;
}

class Search {
 public:
  Search(const std::vector<TensorLifetime>& lifetimes, std::uint64_t lower_bound_bytes)
      : lifetimes_(lifetimes),
        lower_bound_bytes_(lower_bound_bytes),
        placer_(lifetimes),
        work_left_(ComputeAllowedWork(lifetimes.size())) {}

  ArenaPlacement Run() {
    best_ = PlaceAlongSteps(lifetimes_, StepDirection::kForward);
    if (!IsOver()) Keep(PlaceAlongSteps(lifetimes_, StepDirection::kBackward));
    if (IsOver()) return std::move(best_);
    std::vector<PlacementOrder> orders = MakePlacementOrders(lifetimes_);
    for (const PlacementOrder& order : orders) {
      if (IsOver()) return std::move(best_);
      TryOrder(order);
    }
    for (PlacementOrder& order : orders) Improve(std::move(order));
    return std::move(best_);
  }

 private:
  bool IsOver() const {
    return best_.arena_bytes == lower_bound_bytes_ || work_left_ < placer_.GetCost();
  }

  void Keep(ArenaPlacement placement) {
    if (placement.arena_bytes < best_.arena_bytes) best_ = std::move(placement);
  }

  ArenaPlacement TryOrder(const PlacementOrder& order) {
    work_left_ -= placer_.GetCost();
    ArenaPlacement placement = placer_.Place(order);
    if (placement.arena_bytes < best_.arena_bytes) best_ = placement;
    return placement;
  }

  // What reaches the end of the arena is placed before one of those that were in its way.
  void Improve(PlacementOrder order) {
    for (int change = 0; change < kMaxChanges && !IsOver(); ++change) {
      const ArenaPlacement placement = TryOrder(order);
      const auto highest = std::find_if(order.begin(), order.end(), [&](std::uint32_t index) {
        return placement.offsets[index] + lifetimes_[index].size_bytes == placement.arena_bytes;
      });
      if (!MoveForward(order, highest)) return;
    }
  }

  // False when nothing is in its way that was placed before.
  bool MoveForward(PlacementOrder& order, PlacementOrder::iterator moved) {
    const std::vector<std::uint32_t> neighbours = placer_.GetNeighbours(*moved);
    is_neighbour_.assign(order.size(), 0);
    for (const std::uint32_t neighbour : neighbours) is_neighbour_[neighbour] = 1;
    std::vector<PlacementOrder::iterator> in_its_way;
    for (auto before = order.begin(); before != moved; ++before) {
      if (is_neighbour_[*before] != 0) in_its_way.push_back(before);
    }
    if (in_its_way.empty()) return false;
    std::rotate(in_its_way[random_() % in_its_way.size()], moved, moved + 1);
    return true;
  }

  const std::vector<TensorLifetime>& lifetimes_;
  const std::uint64_t lower_bound_bytes_;
  ArenaPlacer placer_;
  std::uint64_t work_left_;
  ArenaPlacement best_;
  std::vector<std::uint8_t> is_neighbour_;
  std::minstd_rand random_;  // its sequence is the same everywhere
};

}  // namespace

ArenaPlacement SearchPlacement(const std::vector<TensorLifetime>& lifetimes,
                               std::uint64_t lower_bound_bytes) {
  return Search(lifetimes, lower_bound_bytes).Run();
}

}  // namespace backplane
