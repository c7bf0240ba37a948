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

TEST(ArenaPlan, IsSoundForRandomLifetimes) {
  std::mt19937 engine(20240229);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t num_steps = 1 + random() % 30;
    Lifetimes lifetimes(random() % 60);
    for (TensorLifetime& lifetime : lifetimes) {
      lifetime.size_bytes = random() % 5 == 0 ? 0 : random() % 5000;
      lifetime.first_step = random() % num_steps;
      lifetime.last_step = lifetime.first_step + random() % (num_steps - lifetime.first_step);
    }
    const ArenaPlan plan = PlanArena(lifetimes);
    ExpectSound(lifetimes, plan);
    EXPECT_EQ(plan.lower_bound_bytes, ComputeLowerBound(lifetimes, num_steps));
    EXPECT_EQ(plan.offsets, PlanArena(lifetimes).offsets);
  }
}

}  // namespace
}  // namespace backplane
