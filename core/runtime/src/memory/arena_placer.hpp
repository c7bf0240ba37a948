#pragma once

#include "memory/arena_placement.hpp"

#include <cstdint>
#include <vector>

namespace backplane {

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

}  // namespace backplane
