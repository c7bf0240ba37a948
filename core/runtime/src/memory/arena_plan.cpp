#include "memory/arena_plan.hpp"

#include "tensors/tensor_size.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace backplane {

namespace {

using TensorIndex = std::uint32_t;
using Lifetimes = std::vector<TensorLifetime>;

// Sums up to this stay far from overflow.
constexpr std::uint64_t kMaxArenaBytes = std::numeric_limits<std::int64_t>::max();

bool AreAliveAtOnce(const TensorLifetime& a, const TensorLifetime& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

// The sizes as they are placed.
Lifetimes AlignSizes(const Lifetimes& lifetimes) {
  Lifetimes aligned = lifetimes;
  std::uint64_t sum = 0;
  for (TensorLifetime& lifetime : aligned) {
    lifetime.size_bytes = AlignTensorSize(lifetime.size_bytes);
    if (lifetime.size_bytes > kMaxArenaBytes - sum) {
      throw DiagnosticException({DiagnosticCode::kOutOfMemory,
                                 Severity::kError,
                                 {},
                                 "the tensors of the network are too large together",
                                 "found a sum of sizes beyond 63 bits; expected one that fits",
                                 "use a smaller network or smaller inputs",
                                 {}});
    }
    sum += lifetime.size_bytes;
  }
  return aligned;
}

std::uint64_t ComputeLowerBound(const Lifetimes& lifetimes) {
  std::uint32_t num_steps = 0;
  for (const TensorLifetime& lifetime : lifetimes) {
    num_steps = std::max(num_steps, lifetime.last_step + 1);
  }
  std::vector<std::uint64_t> born(num_steps + 1, 0);
  std::vector<std::uint64_t> gone(num_steps + 1, 0);
  for (const TensorLifetime& lifetime : lifetimes) {
    born[lifetime.first_step] += lifetime.size_bytes;
    gone[lifetime.last_step + 1] += lifetime.size_bytes;
  }
  std::uint64_t alive = 0;
  std::uint64_t most = 0;
  for (std::uint32_t step = 0; step < num_steps; ++step) {
    alive = alive + born[step] - gone[step];
    most = std::max(most, alive);
  }
  return most;
}

// The offset of the smallest gap that fits between the tensors placed before, or behind them all.
// `placed` is sorted by offset.
std::uint64_t FindOffset(const Lifetimes& lifetimes, const std::vector<std::uint64_t>& offsets,
                         const std::vector<TensorIndex>& placed, TensorIndex tensor) {
  const std::uint64_t size = lifetimes[tensor].size_bytes;
  std::optional<std::uint64_t> best;
  std::uint64_t best_gap = 0;
  std::uint64_t end = 0;
  for (const TensorIndex other : placed) {
    if (!AreAliveAtOnce(lifetimes[tensor], lifetimes[other])) continue;
    if (offsets[other] > end) {
      const std::uint64_t gap = offsets[other] - end;
      if (gap >= size && (!best || gap < best_gap)) {
        best = end;
        best_gap = gap;
      }
    }
    end = std::max(end, offsets[other] + lifetimes[other].size_bytes);
  }
  return best.value_or(end);
}

ArenaPlan PlaceInOrder(const Lifetimes& lifetimes, const std::vector<TensorIndex>& order) {
  ArenaPlan plan;
  plan.offsets.resize(lifetimes.size());
  std::vector<TensorIndex> placed;
  placed.reserve(lifetimes.size());
  for (const TensorIndex tensor : order) {
    const std::uint64_t size = lifetimes[tensor].size_bytes;
    if (size == 0) continue;
    const std::uint64_t offset = FindOffset(lifetimes, plan.offsets, placed, tensor);
    plan.offsets[tensor] = offset;
    plan.arena_bytes = std::max(plan.arena_bytes, offset + size);
    const auto behind = std::upper_bound(
        placed.begin(), placed.end(), offset,
        [&](std::uint64_t value, TensorIndex other) { return value < plan.offsets[other]; });
    placed.insert(behind, tensor);
  }
  return plan;
}

// Orders in which tensors are placed; ties are broken by execution order.
std::vector<std::vector<TensorIndex>> MakeOrders(const Lifetimes& lifetimes) {
  std::vector<TensorIndex> in_execution(lifetimes.size());
  std::iota(in_execution.begin(), in_execution.end(), 0U);
  std::stable_sort(in_execution.begin(), in_execution.end(), [&](TensorIndex a, TensorIndex b) {
    return lifetimes[a].first_step < lifetimes[b].first_step;
  });
  const auto by_size = [&](TensorIndex tensor) {
    return static_cast<double>(lifetimes[tensor].size_bytes);
  };
  const auto by_lifetime = [&](TensorIndex tensor) {
    return static_cast<double>(lifetimes[tensor].last_step - lifetimes[tensor].first_step) + 1.0;
  };
  const auto sort_falling = [&](const auto& key) {
    std::vector<TensorIndex> order = in_execution;
    std::stable_sort(order.begin(), order.end(),
                     [&](TensorIndex a, TensorIndex b) { return key(a) > key(b); });
    return order;
  };
  return {sort_falling(by_size), sort_falling(by_lifetime),
          sort_falling([&](TensorIndex tensor) { return by_size(tensor) * by_lifetime(tensor); }),
          in_execution};
}

}  // namespace

ArenaPlan PlanArena(const std::vector<TensorLifetime>& lifetimes) {
  const Lifetimes aligned = AlignSizes(lifetimes);
  const std::uint64_t lower_bound = ComputeLowerBound(aligned);
  std::optional<ArenaPlan> best;
  for (const std::vector<TensorIndex>& order : MakeOrders(aligned)) {
    ArenaPlan plan = PlaceInOrder(aligned, order);
    if (!best || plan.arena_bytes < best->arena_bytes) best = std::move(plan);
    if (best->arena_bytes == lower_bound) break;
  }
  best->lower_bound_bytes = lower_bound;
  return *best;
}

}  // namespace backplane
