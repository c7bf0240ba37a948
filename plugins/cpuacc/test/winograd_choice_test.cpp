#include "kernel_builders/trial_budget.hpp"
#include "layout/channel_blocks.hpp"
#include "winograd/image_error.hpp"
#include "winograd/winograd.hpp"
#include "winograd/winograd_cost.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using namespace cpuacc;

constexpr InstructionSet kSets[] = {InstructionSet::kAvx2, InstructionSet::kAvx512};

/// Square images with padding; null where the processor lacks the instructions.
ImageProblem MakeProblem(InstructionSet set, std::int64_t channels, std::int64_t filters,
                         std::int64_t side) {
  ImageProblem problem;
  problem.simd = FindSimdFunctions(set);
  if (problem.simd == nullptr) return problem;
  problem.transforms =
      side > 10 ? &problem.simd->image_tiles.large : &problem.simd->image_tiles.small;
  problem.batches = 1;
  problem.channels = channels;
  problem.filters = filters;
  problem.height = problem.width = problem.output_height = problem.output_width = side;
  problem.pad_top = problem.pad_left = 1;
  const std::int64_t results = problem.transforms->results;
  problem.tile_rows = problem.tile_columns = (side + results - 1) / results;
  return problem;
}

std::vector<float> MakeWeights(const ImageProblem& problem) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> noise(-1.0F, 1.0F);
  std::vector<float> weights(static_cast<std::size_t>(problem.filters * problem.channels * 9));
  for (float& weight : weights) weight = noise(generator);
  return weights;
}

double MeasureError(const ImageProblem& problem, const std::vector<float>& weights) {
  return MeasureImageError(problem, SampleFilters(problem, weights.data()));
}

/// Adds a convolution by 3 x 3 that keeps the extents, as the passes see it first.
void AddConvolution(Graph& graph, std::int64_t channels, std::int64_t side) {
  const auto first = static_cast<TensorId>(graph.tensors.size());
  const TensorShape image = {1, channels, side, side};
  graph.tensors.push_back({{image, DataType::kFloat32}, nullptr});
  graph.tensors.push_back(
      {{{channels, channels, 3, 3}, DataType::kFloat32}, std::make_shared<int>(0)});
  graph.tensors.push_back({{image, DataType::kFloat32}, nullptr});
  ConvolutionDescriptor descriptor;
  descriptor.spatial_rank = 2;
  for (int axis = 0; axis < 2; ++axis) descriptor.pads_begin[axis] = descriptor.pads_end[axis] = 1;
  Node node;
  node.type = LayerType::kConvolution;
  node.SetDescriptor(descriptor);
  node.inputs = {first, first + 1};
  node.outputs = {first + 2};
  graph.nodes.push_back(std::move(node));
}

TEST(WinogradTrials, AreCountedForUnclearLayersOnce) {
  Graph graph;
  AddConvolution(graph, 8, 64);    // too few channels
  AddConvolution(graph, 256, 28);  // clear
  EXPECT_EQ(CountTrials(graph, 1), 0U);
  for (std::int64_t side = 4; side < 64; ++side) {
    Graph one;
    AddConvolution(one, 256, side);
    if (CountTrials(one, 1) == 0) continue;
    AddConvolution(one, 256, side);
    EXPECT_EQ(CountTrials(one, 1), 1U);
    return;
  }
  if (GetNativeChannelBlock() == 16) ADD_FAILURE() << "no image is unclear";
}

TEST(WinogradCosts, TellLayersOfNetworksWithoutATrial) {
  for (const InstructionSet set : kSets) {
    if (FindSimdFunctions(set) == nullptr) continue;
    for (const int num_threads : {1, 2}) {
      for (const std::int64_t channels : {32, 64, 128, 256, 512}) {
        const ImageProblem problem = MakeProblem(set, channels, channels, 28);
        EXPECT_EQ(Judge(EstimateCost(problem, num_threads)), Judgement::kTilesAreFaster)
            << channels << " channels";
      }
    }
  }
}

TEST(WinogradCosts, PreferTheDirectWayWhereFiltersAndTilesAreFew) {
  if (FindSimdFunctions(InstructionSet::kAvx512) == nullptr) {
    GTEST_SKIP() << "no AVX-512";
  }
  const ImageProblem problem = MakeProblem(InstructionSet::kAvx512, 768, 16, 7);
  EXPECT_EQ(Judge(EstimateCost(problem, 1)), Judgement::kDirectIsFaster);
}

TEST(WinogradCosts, CountThreadsThatHaveNothingToDo) {
  for (const InstructionSet set : kSets) {
    if (FindSimdFunctions(set) == nullptr) continue;
    const ImageProblem problem = MakeProblem(set, 64, 32, 14);
    const WinogradCost alone = EstimateCost(problem, 1);
    const WinogradCost many = EstimateCost(problem, 16);
    EXPECT_EQ(Judge(alone), Judgement::kTilesAreFaster);
    EXPECT_EQ(Judge(many), Judgement::kDirectIsFaster) << "all filters are one piece of work";
    EXPECT_DOUBLE_EQ(many.direct * 16, alone.direct);
  }
}

TEST(WinogradCosts, AreCloseUpToAQuarter) {
  EXPECT_EQ(Judge({1.2, 1.0}), Judgement::kIsClose);
  EXPECT_EQ(Judge({1.0, 1.2}), Judgement::kIsClose);
  EXPECT_EQ(Judge({1.3, 1.0}), Judgement::kTilesAreFaster);
  EXPECT_EQ(Judge({1.0, 1.3}), Judgement::kDirectIsFaster);
}

TEST(ImageErrors, GrowWithChannelsAndTiles) {
  for (const InstructionSet set : kSets) {
    if (FindSimdFunctions(set) == nullptr) continue;
    const ImageProblem few = MakeProblem(set, 17, 40, 28);
    const ImageProblem many = MakeProblem(set, 600, 40, 28);
    const ImageProblem small_tiles = MakeProblem(set, 600, 40, 8);
    const double of_many = MeasureError(many, MakeWeights(many));
    EXPECT_GT(MeasureError(few, MakeWeights(few)), 1e-8);
    EXPECT_GT(of_many, MeasureError(few, MakeWeights(few)));
    EXPECT_GT(of_many, MeasureError(small_tiles, MakeWeights(small_tiles)));
    EXPECT_LT(of_many, 1e-5);
  }
}

TEST(ImageErrors, AreNoNumbersWhereWeightsAreInfinite) {
  for (const InstructionSet set : kSets) {
    if (FindSimdFunctions(set) == nullptr) continue;
    const ImageProblem problem = MakeProblem(set, 16, 16, 28);
    std::vector<float> weights = MakeWeights(problem);
    weights[40] = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(std::isnan(MeasureError(problem, weights)));
  }
}

TEST(ImageErrors, AreNothingWhereWeightsAreZero) {
  for (const InstructionSet set : kSets) {
    if (FindSimdFunctions(set) == nullptr) continue;
    const ImageProblem problem = MakeProblem(set, 16, 16, 28);
    const std::vector<float> weights(MakeWeights(problem).size(), 0.0F);
    EXPECT_EQ(MeasureError(problem, weights), 0.0);
  }
}

TEST(ImageErrors, AreThoseOfFiltersFromFirstToLast) {
  for (const InstructionSet set : kSets) {
    if (FindSimdFunctions(set) == nullptr) continue;
    const ImageProblem problem = MakeProblem(set, 16, 64, 28);
    const std::vector<float> weights = MakeWeights(problem);
    const SampledFilters sampled = SampleFilters(problem, weights.data());
    ASSERT_EQ(sampled.count, 16);
    ASSERT_EQ(sampled.weights.size(), 16U * 16 * 9);
    EXPECT_EQ(sampled.weights[0], weights[0]);
    EXPECT_EQ(sampled.weights[15 * 16 * 9], weights[60 * 16 * 9]);
  }
}

TEST(TrialBudgets, AreSpentByWork) {
  TrialBudget budget(0.001);
  EXPECT_FALSE(budget.IsSpent());
  EXPECT_EQ(budget.Spend([] { return 3; }), 3);
  volatile double sum = 0.0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!budget.IsSpent() && std::chrono::steady_clock::now() < end) {
    budget.Spend([&] {
      for (int i = 0; i < 100000; ++i) sum = sum + 1.0;
      return true;
    });
  }
  EXPECT_TRUE(budget.IsSpent());
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
