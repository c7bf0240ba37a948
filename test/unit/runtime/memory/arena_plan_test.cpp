#include "memory/arena_plan.hpp"

#include "expect_diagnostic.hpp"
#include "tensors/tensor_size.hpp"

#include <algorithm>
#include <limits>
#include <random>

namespace backplane {
namespace {

using Lifetimes = std::vector<TensorLifetime>;

bool AreAliveAtOnce(const TensorLifetime& a, const TensorLifetime& b) {
  return std::max(a.first_step, b.first_step) <= std::min(a.last_step, b.last_step);
}

// The rules of a plan, checked pair by pair.
void ExpectSound(const Lifetimes& lifetimes, const ArenaPlan& plan) {
  ASSERT_EQ(plan.offsets.size(), lifetimes.size());
  EXPECT_GE(plan.arena_bytes, plan.lower_bound_bytes);
  for (std::size_t a = 0; a < lifetimes.size(); ++a) {
    EXPECT_EQ(plan.offsets[a] % kTensorAlignmentBytes, 0U);
    EXPECT_LE(plan.offsets[a] + lifetimes[a].size_bytes, plan.arena_bytes);
    for (std::size_t b = 0; b < a; ++b) {
      if (!AreAliveAtOnce(lifetimes[a], lifetimes[b])) continue;
      const bool is_apart = plan.offsets[a] + lifetimes[a].size_bytes <= plan.offsets[b] ||
                            plan.offsets[b] + lifetimes[b].size_bytes <= plan.offsets[a];
      EXPECT_TRUE(is_apart) << "tensors " << a << " and " << b << " overlap";
    }
  }
}

std::uint64_t ComputeLowerBound(const Lifetimes& lifetimes, std::uint32_t num_steps) {
  std::uint64_t most = 0;
  for (std::uint32_t step = 0; step < num_steps; ++step) {
    std::uint64_t sum = 0;
    for (const TensorLifetime& lifetime : lifetimes) {
      if (lifetime.first_step <= step && step <= lifetime.last_step) {
        sum += (lifetime.size_bytes + 63) / 64 * 64;
      }
    }
    most = std::max(most, sum);
  }
  return most;
}

TEST(ArenaPlan, PlacesNothing) {
  const ArenaPlan plan = PlanArena({});
  EXPECT_EQ(plan.arena_bytes, 0U);
  EXPECT_EQ(plan.lower_bound_bytes, 0U);
}

TEST(ArenaPlan, ReusesMemoryInAChain) {
  Lifetimes lifetimes;
  for (std::uint32_t step = 0; step < 10; ++step) lifetimes.push_back({100, step, step + 1});
  const ArenaPlan plan = PlanArena(lifetimes);
  ExpectSound(lifetimes, plan);
  EXPECT_EQ(plan.arena_bytes, 2U * 128U);
}

TEST(ArenaPlan, NeedsAnotherOrderThanExecution) {
  // In execution order the second tensor lies behind the first, and the large third behind both.
  const Lifetimes lifetimes{{64, 0, 1}, {64, 1, 3}, {128, 2, 3}};
  const ArenaPlan plan = PlanArena(lifetimes);
  ExpectSound(lifetimes, plan);
  EXPECT_EQ(plan.arena_bytes, plan.lower_bound_bytes);
}

TEST(ArenaPlan, TensorsWithoutElementsTakeNoRoom) {
  const Lifetimes lifetimes{{0, 0, 5}, {1, 0, 5}, {0, 2, 2}};
  EXPECT_EQ(PlanArena(lifetimes).arena_bytes, 64U);
}

TEST(ArenaPlan, RejectsSizesThatOverflowTogether) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const Lifetimes& lifetimes :
       {Lifetimes{{kMost, 0, 1}},
        Lifetimes{{kMost / 2, 0, 0}, {kMost / 2, 1, 1}, {kMost / 2, 2, 2}}}) {
    const Diagnostic diagnostic = CatchDiagnostic([&] { PlanArena(lifetimes); });
    ExpectDiagnostic(diagnostic, DiagnosticCode::kOutOfMemory, "", "beyond 63 bits", "fits");
  }
}

Lifetimes MakeRandom(std::mt19937& engine, std::uint32_t max_count, std::uint32_t max_steps) {
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  const std::uint32_t num_steps = 1 + random() % max_steps;
  Lifetimes lifetimes(random() % (max_count + 1));
  for (TensorLifetime& lifetime : lifetimes) {
    lifetime.size_bytes = random() % 5 == 0 ? 0 : random() % 5000;
    lifetime.first_step = random() % num_steps;
    lifetime.last_step = lifetime.first_step + random() % (num_steps - lifetime.first_step);
  }
  return lifetimes;
}

TEST(ArenaPlan, IsSoundForRandomLifetimes) {
  std::mt19937 engine(20240229);
  for (int round = 0; round < 300; ++round) {
    const Lifetimes lifetimes = MakeRandom(engine, 60, 30);
    const ArenaPlan plan = PlanArena(lifetimes);
    ExpectSound(lifetimes, plan);
    EXPECT_EQ(plan.lower_bound_bytes, ComputeLowerBound(lifetimes, 30));
    EXPECT_EQ(plan.offsets, PlanArena(lifetimes).offsets);
  }
}

// A network in which each layer reads the tensor before and another of the `reach` last ones.
Lifetimes MakeNetworkLike(std::mt19937& engine, std::uint32_t count, std::uint32_t reach) {
  Lifetimes lifetimes(count);
  for (std::uint32_t step = 0; step < count; ++step) {
    const auto size = static_cast<std::uint64_t>(64U << (engine() % 8));
    lifetimes[step] = {size, step, step};
    if (step == 0) continue;
    lifetimes[step - 1].last_step = step;
    lifetimes[step - 1 - static_cast<std::uint32_t>(engine()) % std::min(step, reach)].last_step =
        step;
  }
  return lifetimes;
}

// Whatever the density decides about how it is placed.
TEST(ArenaPlan, IsSoundForManyLifetimes) {
  std::mt19937 engine(3);
  for (const std::uint32_t reach : {1U, 16U, 1500U}) {
    const Lifetimes lifetimes = MakeNetworkLike(engine, 1500, reach);
    const ArenaPlan plan = PlanArena(lifetimes);
    ExpectSound(lifetimes, plan);
    EXPECT_LE(plan.arena_bytes, plan.lower_bound_bytes * 11 / 10) << "reach " << reach;
  }
}

// The least arena: of the placements in every order there is one in which each lifetime lies as low
// as those placed before let it.
std::uint64_t FindLeastArena(const Lifetimes& lifetimes) {
  std::vector<std::size_t> order(lifetimes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  do {
    std::vector<std::uint64_t> offsets(lifetimes.size());
    std::uint64_t arena = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const TensorLifetime& placed = lifetimes[order[i]];
      std::uint64_t& offset = offsets[order[i]];
      for (bool is_free = false; !is_free;) {
        is_free = true;
        for (std::size_t j = 0; j < i; ++j) {
          const TensorLifetime& other = lifetimes[order[j]];
          const std::uint64_t end = offsets[order[j]] + AlignTensorSize(other.size_bytes);
          const bool is_apart =
              end <= offset || offset + AlignTensorSize(placed.size_bytes) <= offsets[order[j]];
          if (!AreAliveAtOnce(placed, other) || is_apart) continue;
          offset = end;
          is_free = false;
        }
      }
      arena = std::max(arena, offset + AlignTensorSize(placed.size_bytes));
    }
    least = std::min(least, arena);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST(ArenaPlan, FindsTheLeastArenaOfFewLifetimes) {
  std::mt19937 engine(11);
  for (int round = 0; round < 300; ++round) {
    Lifetimes lifetimes(6);
    for (TensorLifetime& lifetime : lifetimes) {
      lifetime.size_bytes = 1 + static_cast<std::uint32_t>(engine()) % 600;
      lifetime.first_step = static_cast<std::uint32_t>(engine()) % 6;
      lifetime.last_step = lifetime.first_step + static_cast<std::uint32_t>(engine()) % 3;
    }
    EXPECT_EQ(PlanArena(lifetimes).arena_bytes, FindLeastArena(lifetimes)) << "round " << round;
  }
}

// The tensors of a network of inverted residuals, where placing by size alone takes half as much
// again: wide tensors that live for a step overlap narrow ones that live for several.
TEST(ArenaPlan, NeedsMoreThanOneOrderForResidualBlocks) {
  Lifetimes lifetimes;
  std::uint32_t step = 0;
  for (std::uint64_t narrow = 64 * 1024; narrow >= 4 * 1024; narrow /= 2) {
    lifetimes.push_back({narrow, step, step + 4});
    lifetimes.push_back({narrow * 6, step + 1, step + 2});
    lifetimes.push_back({narrow * 5, step + 2, step + 3});
    lifetimes.push_back({narrow, step + 3, step + 4});
    step += 4;
  }
  const ArenaPlan plan = PlanArena(lifetimes);
  ExpectSound(lifetimes, plan);
  EXPECT_EQ(plan.arena_bytes, plan.lower_bound_bytes);
}

}  // namespace
}  // namespace backplane
