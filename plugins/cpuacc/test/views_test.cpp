#include "compile/views.hpp"

#include "layout/channel_blocks.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/reshape.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/split.hpp>
#include <backplane/api/descriptors/transpose.hpp>

namespace backplane {
namespace cpuacc_test {
namespace {

/// Where the only node's output begins in its input.
std::optional<std::uint64_t> FindOffset(const NetworkCase& network, std::uint32_t output = 0) {
  const Graph& graph = network.GetGraph();
  return cpuacc::FindOffsetInInput(graph, graph.nodes[0], output);
}

std::optional<std::uint64_t> FindSlice(const TensorShape& whole, const TensorShape& part,
                                       const std::vector<std::int64_t>& starts,
                                       std::int64_t last_step = 1) {
  SliceDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < whole.rank; ++axis) {
    descriptor.starts[axis] = starts[axis];
    descriptor.steps[axis] = 1;
  }
  descriptor.steps[whole.rank - 1] = last_step;
  NetworkCase network;
  network.Add(LayerType::kSlice, descriptor, {network.AddInput(whole)}, part);
  return FindOffset(network);
}

std::optional<std::uint64_t> FindTranspose(const TensorShape& from, const TensorShape& to,
                                           const std::vector<std::uint32_t>& permutation) {
  TransposeDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < from.rank; ++axis) {
    descriptor.permutation[axis] = permutation[axis];
  }
  NetworkCase network;
  network.Add(LayerType::kTranspose, descriptor, {network.AddInput(from)}, to);
  return FindOffset(network);
}

TEST(Views, OfAReshapeBeginWhereTheInputBegins) {
  NetworkCase network;
  network.Add(LayerType::kReshape, ReshapeDescriptor(), {network.AddInput({2, 6})}, {3, 4});
  EXPECT_EQ(FindOffset(network), 0U);
}

TEST(Views, OfASliceNeedElementsThatLieTogether) {
  EXPECT_EQ(FindSlice({4, 3}, {2, 3}, {1, 0}), 12U);
  EXPECT_EQ(FindSlice({4, 3}, {1, 2}, {2, 1}), 28U);
  EXPECT_EQ(FindSlice({4, 3}, {2, 2}, {1, 0}), std::nullopt);
  EXPECT_EQ(FindSlice({1, 1, 5}, {1, 1, 2}, {0, 0, 3}), 12U);
  EXPECT_EQ(FindSlice({1, 6}, {1, 3}, {0, 0}, 2), std::nullopt);
}

TEST(Views, OfASplitAreItsPartsAlongTheOutermostAxis) {
  SplitDescriptor descriptor;
  descriptor.axis = 1;
  descriptor.num_parts = 2;
  descriptor.extents[0] = 2;
  descriptor.extents[1] = 3;
  NetworkCase one;
  one.AddLayer(LayerType::kSplit, descriptor, {one.AddInput({1, 5, 4})},
               {Float({1, 2, 4}), Float({1, 3, 4})});
  EXPECT_EQ(FindOffset(one, 0), 0U);
  EXPECT_EQ(FindOffset(one, 1), 32U);
  NetworkCase two;
  two.AddLayer(LayerType::kSplit, descriptor, {two.AddInput({2, 5, 4})},
               {Float({2, 2, 4}), Float({2, 3, 4})});
  EXPECT_EQ(FindOffset(two, 0), std::nullopt);
}

TEST(Views, OfATransposeMayMoveAxesOfOneElement) {
  EXPECT_EQ(FindTranspose({1, 2, 3}, {2, 1, 3}, {1, 0, 2}), 0U);
  EXPECT_EQ(FindTranspose({2, 2, 3}, {2, 3, 2}, {0, 2, 1}), std::nullopt);
}

NetworkCase MakeConcat(std::uint32_t axis, const std::vector<TensorShape>& inputs,
                       const TensorShape& output) {
  NetworkCase network;
  ConcatDescriptor descriptor;
  descriptor.axis = axis;
  std::vector<TensorId> ids;
  for (const TensorShape& input : inputs) ids.push_back(network.AddInput(input));
  network.Add(LayerType::kConcat, descriptor, ids, output);
  return network;
}

std::vector<std::uint64_t> FindOffsets(const NetworkCase& network, const cpuacc::Layout& layout) {
  const Graph& graph = network.GetGraph();
  return cpuacc::FindOffsetsInJoin(graph, graph.nodes[0], layout);
}

TEST(Joins, OfPlainTensorsLieOneBehindTheOther) {
  EXPECT_EQ(FindOffsets(MakeConcat(1, {{1, 2, 4}, {1, 3, 4}}, {1, 5, 4}), cpuacc::Layout()),
            (std::vector<std::uint64_t>{0, 32}));
  EXPECT_TRUE(
      FindOffsets(MakeConcat(1, {{2, 2, 4}, {2, 3, 4}}, {2, 5, 4}), cpuacc::Layout()).empty());
}

TEST(Joins, OfBlockedTensorsDoNotBreakABlock) {
  const auto blocks = cpuacc::MakeChannelBlocks(Float({1, 16, 2, 2}), 16);
  ASSERT_TRUE(blocks);
  EXPECT_EQ(FindOffsets(MakeConcat(1, {{1, 16, 2, 2}, {1, 3, 2, 2}}, {1, 19, 2, 2}), *blocks),
            (std::vector<std::uint64_t>{0, 256}));
  const auto odd = cpuacc::MakeChannelBlocks(Float({1, 3, 2, 2}), 16);
  ASSERT_TRUE(odd);
  EXPECT_TRUE(
      FindOffsets(MakeConcat(1, {{1, 3, 2, 2}, {1, 16, 2, 2}}, {1, 19, 2, 2}), *odd).empty());
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
