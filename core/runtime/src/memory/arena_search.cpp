#include "memory/arena_search.hpp"

#include "memory/arena_placer.hpp"
#include "memory/place_along_steps.hpp"
#include "memory/placement_orders.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace backplane {

namespace {

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
