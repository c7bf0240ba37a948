#include "execution/fence_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <vector>

namespace backplane {
namespace {

using Steps = std::vector<std::uint32_t>;
using Tensors = std::vector<std::uint32_t>;

constexpr StepCompletion kFencePlanByFence = StepCompletion::kByFence;
constexpr StepCompletion kFencePlanAtReturn = StepCompletion::kAtReturn;
constexpr StepCompletion kNoWork = StepCompletion::kNoWork;

/// Steps over tensors whose places a test chooses.
class FencePlanTest : public testing::Test {
 protected:
  /// A tensor of `size_bytes` at an offset of a block.
  std::uint32_t Place(std::uint64_t begin_bytes, std::uint64_t size_bytes,
                      std::uint32_t space = 0) {
    PlannedTensor tensor;
    tensor.range = {space, begin_bytes, begin_bytes + size_bytes};
    plan_.tensors.push_back(tensor);
    return static_cast<std::uint32_t>(plan_.tensors.size() - 1);
  }

  /// A tensor with bytes that are nobody else's.
  std::uint32_t PlaceAlone() {
    next_alone_ += 16;
    return Place(next_alone_, 16);
  }

  void Run(StepCompletion completion, const Tensors& inputs, const Tensors& outputs,
           std::uint32_t backend = 0) {
    PlannedStep step;
    step.backend = backend;
    step.first_operand = static_cast<std::uint32_t>(plan_.operands.size());
    step.num_inputs = static_cast<std::uint32_t>(inputs.size());
    step.num_outputs = static_cast<std::uint32_t>(outputs.size());
    for (const Tensors* tensors : {&inputs, &outputs}) {
      for (const std::uint32_t tensor : *tensors) plan_.operands.push_back({tensor, true});
    }
    plan_.steps.push_back(step);
    completions_.push_back(completion);
  }

  void Plan() { fences_ = PlanFences(plan_, completions_); }

  Steps GetDependencies(std::uint32_t step) const {
    return {fences_.dependencies.begin() + fences_.first[step],
            fences_.dependencies.begin() + fences_.first[step + 1]};
  }

  ExecutionPlan plan_;
  std::vector<StepCompletion> completions_;
  FencePlan fences_;
  std::uint64_t next_alone_ = 1'000'000;
};

TEST_F(FencePlanTest, ReadersComeAfterTheWriter) {
  const std::uint32_t tensor = PlaceAlone();
  Run(kFencePlanByFence, {}, {tensor});
  Run(kFencePlanByFence, {tensor}, {PlaceAlone()});
  Run(kFencePlanByFence, {tensor}, {PlaceAlone()});
  Plan();
  EXPECT_EQ(GetDependencies(0), Steps{});
  EXPECT_EQ(GetDependencies(1), Steps{0});
  EXPECT_EQ(GetDependencies(2), Steps{0}) << "readers are beside each other";
  EXPECT_TRUE(fences_.HasFences());
  EXPECT_EQ(fences_.max_dependencies, 1U);
}

TEST_F(FencePlanTest, AWriterComesAfterTheReaders) {
  const std::uint32_t input = PlaceAlone();
  Run(kFencePlanByFence, {input}, {PlaceAlone()});
  Run(kFencePlanByFence, {input}, {PlaceAlone()});
  Run(kFencePlanByFence, {}, {input});
  Plan();
  EXPECT_EQ(GetDependencies(2), (Steps{0, 1}));
}

TEST_F(FencePlanTest, AWriterComesAfterTheWriter) {
  const std::uint32_t tensor = PlaceAlone();
  Run(kFencePlanByFence, {}, {tensor});
  Run(kFencePlanByFence, {}, {tensor});
  Plan();
  EXPECT_EQ(GetDependencies(1), Steps{0});
}

TEST_F(FencePlanTest, WhatIsInPlaceComesAfterWhatIsThere) {
  const std::uint32_t tensor = PlaceAlone();
  Run(kFencePlanByFence, {}, {tensor});
  Run(kFencePlanByFence, {tensor}, {tensor});
  Run(kFencePlanByFence, {tensor}, {PlaceAlone()});
  Plan();
  EXPECT_EQ(GetDependencies(1), Steps{0});
  EXPECT_EQ(GetDependencies(2), Steps{1});
}

TEST_F(FencePlanTest, ATensorInReusedBytesComesAfterAllThatUsedThem) {
  const std::uint32_t low = Place(0, 64);
  const std::uint32_t high = Place(64, 64);
  Run(kFencePlanByFence, {}, {low});
  Run(kFencePlanByFence, {}, {high});
  Run(kFencePlanByFence, {high}, {PlaceAlone()});
  Run(kFencePlanByFence, {}, {Place(32, 64)});  // a part of either
  Run(kFencePlanByFence, {}, {Place(96, 32)});  // what is left of the second
  Plan();
  EXPECT_EQ(GetDependencies(3), (Steps{0, 2}));
  EXPECT_EQ(GetDependencies(4), Steps{2});
}

TEST_F(FencePlanTest, NeighboursAndOtherBlocksAreNobodysBusiness) {
  Run(kFencePlanByFence, {}, {Place(0, 64)});
  Run(kFencePlanByFence, {Place(64, 64)}, {Place(0, 64, 1)});
  Run(kFencePlanByFence, {Place(32, 0)}, {Place(32, 0)});
  Plan();
  EXPECT_EQ(GetDependencies(1), Steps{});
  EXPECT_EQ(GetDependencies(2), Steps{}) << "no bytes";
}

TEST_F(FencePlanTest, PartsOfOneTensorAreWrittenBesideEachOther) {
  Run(kFencePlanByFence, {}, {Place(0, 32)});
  Run(kFencePlanByFence, {}, {Place(32, 32)});
  Run(kFencePlanByFence, {Place(0, 64)}, {PlaceAlone()});
  Plan();
  EXPECT_EQ(GetDependencies(1), Steps{});
  EXPECT_EQ(GetDependencies(2), (Steps{0, 1}));
}

TEST_F(FencePlanTest, WhatIsImpliedIsLeftOut) {
  const std::uint32_t a = PlaceAlone();
  const std::uint32_t b = PlaceAlone();
  const std::uint32_t c = PlaceAlone();
  Run(kFencePlanByFence, {}, {a});
  Run(kFencePlanByFence, {a}, {b});
  Run(kFencePlanByFence, {b}, {c});
  Run(kFencePlanByFence, {a, b, c}, {a});
  Plan();
  EXPECT_EQ(GetDependencies(3), Steps{2});
}

TEST_F(FencePlanTest, TheHostFinishesWhatItWaitsFor) {
  const std::uint32_t a = PlaceAlone();
  const std::uint32_t b = PlaceAlone();
  const std::uint32_t c = PlaceAlone();
  Run(kFencePlanByFence, {}, {a});
  Run(kFencePlanByFence, {a}, {b});
  Run(kFencePlanAtReturn, {b}, {c});
  Run(kFencePlanByFence, {a, b, c}, {a, b});
  Plan();
  EXPECT_EQ(GetDependencies(2), Steps{1});
  EXPECT_EQ(GetDependencies(3), Steps{}) << "all of them have finished when step 2 begins";
}

TEST_F(FencePlanTest, NothingIsWaitedForWithoutFences) {
  const std::uint32_t tensor = PlaceAlone();
  Run(kFencePlanAtReturn, {}, {tensor});
  Run(kFencePlanAtReturn, {tensor}, {tensor});
  Plan();
  EXPECT_FALSE(fences_.HasFences());
  EXPECT_TRUE(fences_.dependencies.empty());
  EXPECT_EQ(fences_.first, (Steps{0, 0, 0}));
}

TEST_F(FencePlanTest, WhatTouchesNoBytesWaitsForNobody) {
  const std::uint32_t tensor = PlaceAlone();
  Run(kFencePlanByFence, {}, {tensor});
  Run(kNoWork, {tensor}, {tensor});
  Run(kFencePlanByFence, {tensor}, {PlaceAlone()});
  Plan();
  EXPECT_EQ(GetDependencies(1), Steps{});
  EXPECT_EQ(GetDependencies(2), Steps{0});
}

TEST_F(FencePlanTest, FencesAreOfKindsThatWhoeverWaitsUnderstands) {
  constexpr FenceKindFlags kByAll = ToFlags(FenceKind::kSyncFile) | ToFlags(FenceKind::kEventFd);
  constexpr FenceKindFlags kByOwn = kByAll | ToFlags(FenceKind::kOpaque);
  const std::uint32_t own = PlaceAlone();
  const std::uint32_t both = PlaceAlone();
  const std::uint32_t read_by_host = PlaceAlone();
  const std::uint32_t last = PlaceAlone();
  Run(kFencePlanByFence, {}, {own});
  Run(kFencePlanByFence, {own}, {both});
  Run(kFencePlanByFence, {both}, {last});
  Run(kFencePlanByFence, {both}, {read_by_host}, 1);
  Run(kFencePlanAtReturn, {read_by_host}, {PlaceAlone()});
  Plan();
  EXPECT_EQ(fences_.completion_kinds, (std::vector<FenceKindFlags>{kByOwn, kByAll, 0, 0, 0}));
}

TEST_F(FencePlanTest, ManyReadersOfOneTensorAreFewToWaitFor) {
  const std::uint32_t tensor = PlaceAlone();
  constexpr std::uint32_t kNumReaders = 1000;
  for (std::uint32_t i = 0; i < kNumReaders; ++i) Run(kFencePlanByFence, {tensor}, {PlaceAlone()});
  Run(kFencePlanByFence, {}, {tensor});
  Plan();
  EXPECT_LE(fences_.max_dependencies, 40U);
  std::set<std::uint32_t> before{kNumReaders};
  for (std::uint32_t step = kNumReaders + 1; step-- > 0;) {
    ASSERT_EQ(before.count(step), 1U) << "reader " << step << " is not waited for";
    for (const std::uint32_t earlier : GetDependencies(step)) before.insert(earlier);
  }
}

/// What the plan says, from the definitions.
class FencePlanRandomTest : public FencePlanTest {
 protected:
  void MakeSteps(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t end) {
      return static_cast<std::uint32_t>(random() % end);
    };
    plan_ = {};
    completions_.clear();
    for (int i = 0; i < 24; ++i) Place(below(40), below(12), below(2));
    const auto pick = [&] {
      Tensors tensors(below(3));
      for (std::uint32_t& tensor : tensors) tensor = below(24);
      return tensors;
    };
    const std::uint32_t num_kinds = 1 + below(10);
    for (int i = 0; i < 40; ++i) {
      const std::uint32_t kind = below(num_kinds);
      Run(kind == 1 ? kFencePlanAtReturn : kind == 2 ? kNoWork : kFencePlanByFence, pick(), pick());
    }
  }

  bool Overlap(std::uint32_t a, std::uint32_t b) const {
    const PlannedRange& x = plan_.tensors[a].range;
    const PlannedRange& y = plan_.tensors[b].range;
    return x.space == y.space &&
           std::max(x.begin_bytes, y.begin_bytes) < std::min(x.end_bytes, y.end_bytes);
  }

  bool MustFollow(std::uint32_t earlier, std::uint32_t later) const {
    if (completions_[earlier] != kFencePlanByFence || completions_[later] == kNoWork) return false;
    const PlannedStep& a = plan_.steps[earlier];
    const PlannedStep& b = plan_.steps[later];
    for (std::uint32_t i = 0; i < a.num_inputs + a.num_outputs; ++i) {
      for (std::uint32_t j = 0; j < b.num_inputs + b.num_outputs; ++j) {
        if (i < a.num_inputs && j < b.num_inputs) continue;
        const PlannedOperand& x = plan_.operands[a.first_operand + i];
        const PlannedOperand& y = plan_.operands[b.first_operand + j];
        if (Overlap(x.tensor, y.tensor)) return true;
      }
    }
    return false;
  }
};

TEST_F(FencePlanRandomTest, OrdersWhatSharesBytesAndNothingElse) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    MakeSteps(seed);
    Plan();
    std::set<std::uint32_t> finished;  // when the step begins, whatever it waits for
    std::vector<std::set<std::uint32_t>> before(completions_.size());
    for (std::uint32_t step = 0; step < completions_.size(); ++step) {
      before[step] = finished;
      for (const std::uint32_t earlier : GetDependencies(step)) {
        ASSERT_TRUE(MustFollow(earlier, step)) << seed << ": " << step << " after " << earlier;
        ASSERT_EQ(finished.count(earlier), 0U) << seed << ": " << step << " after " << earlier;
        before[step].insert(earlier);
        before[step].insert(before[earlier].begin(), before[earlier].end());
      }
      for (const std::uint32_t earlier : GetDependencies(step)) {
        for (const std::uint32_t other : GetDependencies(step)) {
          ASSERT_EQ(before[other].count(earlier), 0U) << seed << ": implied by " << other;
        }
      }
      for (std::uint32_t earlier = 0; earlier < step; ++earlier) {
        ASSERT_TRUE(!MustFollow(earlier, step) || before[step].count(earlier) != 0)
            << seed << ": " << step << " is not after " << earlier;
      }
      if (completions_[step] == kFencePlanAtReturn) finished = before[step];
    }
  }
}

TEST_F(FencePlanRandomTest, FiveThousandStepsArePlannedAtOnce) {
  std::mt19937 random(1);
  Tensors tensors;
  for (int i = 0; i < 5000; ++i) tensors.push_back(Place(random() % 100'000, random() % 10'000));
  for (const std::uint32_t tensor : tensors) {
    Run(kFencePlanByFence, {tensors[random() % tensors.size()], tensors[random() % tensors.size()]},
        {tensor});
  }
  const auto begin = std::chrono::steady_clock::now();
  Plan();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  RecordProperty("milliseconds", std::to_string(took.count()));
  EXPECT_LT(took.count(), 2000) << "with a sanitizer, on a busy machine";
  EXPECT_LT(fences_.dependencies.size(), 5000U * 40);
}

}  // namespace
}  // namespace backplane
