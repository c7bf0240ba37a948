#include "memory/arena_plan.hpp"

#include "memory/placement_orders.hpp"
#include "tensors/tensor_size.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <limits>

namespace backplane {

namespace {

// Sums up to this stay far from overflow.
constexpr std::uint64_t kMaxArenaBytes = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void ThrowTooLarge() {
  throw DiagnosticException({DiagnosticCode::kOutOfMemory,
                             Severity::kError,
                             {},
                             "the tensors of the network are too large together",
                             "found a sum of sizes beyond 63 bits; expected one that fits",
                             "use a smaller network or smaller inputs",
                             {}});
}

// What takes room, with sizes as they are placed.
struct Placeable {
  std::vector<TensorLifetime> lifetimes;
  std::vector<std::uint32_t> indices;  // where they were
};

Placeable FindPlaceable(const std::vector<TensorLifetime>& lifetimes,
                        std::uint64_t alignment_bytes) {
  Placeable placeable;
  std::uint64_t sum = 0;
  for (std::uint32_t index = 0; index < lifetimes.size(); ++index) {
    TensorLifetime lifetime = lifetimes[index];
    if (lifetime.size_bytes == 0) continue;
    if (lifetime.size_bytes > kMaxArenaBytes - alignment_bytes) ThrowTooLarge();
    lifetime.size_bytes = AlignTensorSize(lifetime.size_bytes, alignment_bytes);
    if (lifetime.size_bytes > kMaxArenaBytes - sum) ThrowTooLarge();
    sum += lifetime.size_bytes;
    placeable.lifetimes.push_back(lifetime);
    placeable.indices.push_back(index);
  }
  return placeable;
}

}  // namespace

ArenaPlan PlanArena(const std::vector<TensorLifetime>& lifetimes, std::uint64_t alignment_bytes) {
  ArenaPlan plan;
  plan.offsets.resize(lifetimes.size());
  const Placeable placeable = FindPlaceable(lifetimes, alignment_bytes);
  if (placeable.indices.empty()) return plan;
  const std::vector<std::uint64_t> alive = SumAlive(placeable.lifetimes);
  plan.lower_bound_bytes = *std::max_element(alive.begin(), alive.end());
  const ArenaPlacement placement = SearchPlacement(placeable.lifetimes, plan.lower_bound_bytes);
  plan.arena_bytes = placement.arena_bytes;
  for (std::size_t i = 0; i < placeable.indices.size(); ++i) {
    plan.offsets[placeable.indices[i]] = placement.offsets[i];
  }
  return plan;
}

}  // namespace backplane
