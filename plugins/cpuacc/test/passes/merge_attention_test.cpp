#include "test/attention_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/expand.hpp>
#include <backplane/api/descriptors/slice.hpp>
#include <backplane/api/descriptors/softmax.hpp>
#include <backplane/api/descriptors/split.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using Binary = BinaryOperation;
using Names = std::vector<std::string>;

void ExpectStaysApart(NetworkCase& network) {
  for (const std::string& name : ListNodes(network)) EXPECT_NE(name, "Attention");
  ExpectAsCpuRef(network);
}

TEST(MergeAttention, GoesWithoutAScale) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {2}, 9, 11, 6);
  FinishAttention(network, heads, AddProduct(network, heads.queries, heads.keys, 1));
  ExpectIsMerged(network);
}

TEST(MergeAttention, TakesTheScaleOfQueriesAndKeys) {
  for (const bool is_masked : {false, true}) {
    NetworkCase network;
    Heads heads = AddHeads(network, {2}, 9, 11, 6);
    heads.queries = AddBinary(network, Binary::kMul, heads.queries, 0.6F);
    heads.keys = AddBinary(network, Binary::kDiv, heads.keys, 1.5F);
    TensorId scores = AddProduct(network, heads.queries, heads.keys, 1);
    if (is_masked) scores = AddBinary(network, Binary::kAdd, scores, network.AddInput({9, 11}));
    FinishAttention(network, heads, scores);
    ExpectIsMerged(network);
  }
}

TEST(MergeAttention, AddsAMaskThatStandsFirst) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {2, 3}, 9, 11, 6);
  const TensorId mask = network.AddInput({2, 3, 9, 11});
  FinishAttention(network, heads,
                  AddBinary(network, Binary::kAdd, mask, AddScores(network, heads)));
  ExpectIsMerged(network);
}

/// As a decoder: no key behind the query, and no padding.
TEST(MergeAttention, TakesTwoMasks) {
  for (const std::int64_t num_queries : {2, 30}) {
    NetworkCase network;
    const Heads heads = AddHeads(network, {2, 3}, num_queries, 30, 6);
    const TensorId condition = network.AddInput(TensorInfo({num_queries, 30}, DataType::kBool));
    const TensorId kept =
        AddWhere(network, condition, AddScores(network, heads), network.AddConstant({}, -3.0F));
    FinishAttention(network, heads,
                    AddBinary(network, Binary::kAdd, kept, network.AddInput({2, 1, 1, 30})));
    ExpectIsMerged(network);
  }
}

TEST(MergeAttention, LeavesAThirdMask) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {2}, 9, 11, 6);
  TensorId scores = AddScores(network, heads);
  for (int mask = 0; mask < 3; ++mask) {
    scores = AddBinary(network, Binary::kAdd, scores, network.AddInput({9, 11}));
  }
  FinishAttention(network, heads, scores);
  ExpectStaysApart(network);
}

/// [batch, length, heads * width] to [batch, heads, length, width], or what a permutation says.
TensorId TakeHeadsApart(NetworkCase& network, TensorId tensor, std::int64_t num_heads,
                        const std::vector<std::uint32_t>& permutation) {
  const TensorShape shape = network.GetShape(tensor);
  const TensorId apart =
      AddReshape(network, tensor, {shape[0], shape[1], num_heads, shape[2] / num_heads});
  return AddTranspose(network, apart, permutation);
}

void PutHeadsTogether(NetworkCase& network, TensorId heads) {
  const TensorId together = AddTranspose(network, heads, {0, 2, 1, 3});
  const TensorShape shape = network.GetShape(together);
  network.AddOutput(AddReshape(network, together, {shape[0], shape[1], shape[2] * shape[3]}));
}

TEST(MergeAttention, ReadsAndWritesHeadsWhereTheyLie) {
  for (const bool are_keys_turned : {false, true}) {
    NetworkCase network;
    const TensorId queries =
        TakeHeadsApart(network, network.AddInput({2, 21, 24}), 3, {0, 2, 1, 3});
    const std::vector<std::uint32_t> turned = {0, 2, 3, 1};
    const std::vector<std::uint32_t> straight = {0, 2, 1, 3};
    const TensorId keys = TakeHeadsApart(network, network.AddInput({2, 70, 24}), 3,
                                         are_keys_turned ? turned : straight);
    const TensorId values = TakeHeadsApart(network, network.AddInput({2, 70, 24}), 3, straight);
    const TensorId scores = AddProduct(network, queries, keys, are_keys_turned ? 0 : 1);
    PutHeadsTogether(network, AddProduct(network, AddSoftmax(network, scores, 0.3F), values, 0));
    EXPECT_EQ(ListNodes(network), (Names{"Attention", "Reshape"}));
    EXPECT_EQ(ListSteps(network).size(), 1U) << "a Reshape moves nothing";
    ExpectAsCpuRef(network);
  }
}

TEST(MergeAttention, ReadsPartsOfOneProjection) {
  NetworkCase network;
  const TensorId all = network.AddInput({2, 21, 72});
  SplitDescriptor split;
  split.axis = 2;
  split.num_parts = 3;
  for (std::uint32_t part = 0; part < 3; ++part) split.extents[part] = 24;
  const TensorInfo part = Float({2, 21, 24});
  const auto parts = network.AddLayer(LayerType::kSplit, split, {all}, {part, part, part});
  const TensorId queries = TakeHeadsApart(network, parts[0], 3, {0, 2, 1, 3});
  const TensorId keys = TakeHeadsApart(network, parts[1], 3, {0, 2, 3, 1});
  const TensorId values = TakeHeadsApart(network, parts[2], 3, {0, 2, 1, 3});
  const TensorId scores = AddProduct(network, queries, keys, 0);
  PutHeadsTogether(network, AddProduct(network, AddSoftmax(network, scores), values, 0));
  EXPECT_EQ(ListSteps(network).size(), 1U);
  ExpectAsCpuRef(network);
}

/// [3, batch, heads, length, width], of which each is an index.
TEST(MergeAttention, ReadsSlicesOfOneProjection) {
  NetworkCase network;
  const TensorId apart = AddReshape(network, network.AddInput({2, 21, 72}), {2, 21, 3, 3, 8});
  const TensorId all = AddTranspose(network, apart, {2, 0, 3, 1, 4});
  const auto take = [&](std::int64_t index) {
    SliceDescriptor slice;
    slice.starts[0] = index;
    const std::int64_t extents[] = {1, 2, 3, 21, 8};
    std::copy_n(extents, 5, slice.extents);
    const TensorId part = network.Add(LayerType::kSlice, slice, {all}, {1, 2, 3, 21, 8});
    return AddReshape(network, part, {2, 3, 21, 8});
  };
  const TensorId scores = AddProduct(network, take(0), take(1), 1);
  PutHeadsTogether(network, AddProduct(network, AddSoftmax(network, scores), take(2), 0));
  EXPECT_EQ(ListSteps(network).size(), 1U);
  ExpectAsCpuRef(network);
}

/// [batch, groups, length, width] to [batch, groups * heads, length, width].
TensorId RepeatForHeads(NetworkCase& network, TensorId tensor, std::int64_t num_heads) {
  const TensorShape shape = network.GetShape(tensor);
  const TensorId apart = AddReshape(network, tensor, {shape[0], shape[1], 1, shape[2], shape[3]});
  ExpandDescriptor expand;
  expand.rank = 5;
  const TensorShape expanded = {shape[0], shape[1], num_heads, shape[2], shape[3]};
  std::copy_n(expanded.dims, 5, expand.dims);
  const TensorId repeated = network.Add(LayerType::kExpand, expand, {apart}, expanded);
  return AddReshape(network, repeated, {shape[0], shape[1] * num_heads, shape[2], shape[3]});
}

TEST(MergeAttention, ReadsKeysAndValuesOfAGroupOnce) {
  for (const bool repeats_values : {false, true}) {
    NetworkCase network;
    const TensorId queries = TakeHeadsApart(network, network.AddInput({2, 9, 48}), 6, {0, 2, 1, 3});
    const TensorId keys = RepeatForHeads(network, network.AddInput({2, 2, 11, 8}), 3);
    const TensorId values = repeats_values
                                ? RepeatForHeads(network, network.AddInput({2, 2, 11, 8}), 3)
                                : network.AddInput({2, 6, 11, 8});
    TensorId scores = AddProduct(network, queries, keys, 1);
    scores = AddBinary(network, Binary::kAdd, scores, network.AddInput({2, 1, 9, 11}));
    PutHeadsTogether(network, AddProduct(network, AddSoftmax(network, scores), values, 0));
    EXPECT_EQ(ListSteps(network).size(), 1U);
    ExpectAsCpuRef(network);
  }
}

// Exporters scale queries and keys, the keys after they were transposed.
TEST(MergeAttention, ReadsKeysOfAGroupOnceThatAreScaledTransposed) {
  NetworkCase network;
  const TensorId queries =
      AddBinary(network, Binary::kMul,
                TakeHeadsApart(network, network.AddInput({2, 9, 48}), 6, {0, 2, 1, 3}), 0.5F);
  const TensorId repeated = RepeatForHeads(network, network.AddInput({2, 2, 11, 8}), 3);
  TransposeDescriptor exchange;
  for (std::uint32_t axis = 0; axis < 4; ++axis) exchange.permutation[axis] = axis ^ (axis / 2);
  const TensorId keys =
      AddBinary(network, Binary::kMul,
                network.Add(LayerType::kTranspose, exchange, {repeated}, {2, 6, 8, 11}), 0.5F);
  const TensorId values = RepeatForHeads(network, network.AddInput({2, 2, 11, 8}), 3);
  const TensorId scores = AddProduct(network, queries, keys, 0);
  PutHeadsTogether(network, AddProduct(network, AddSoftmax(network, scores), values, 0));
  EXPECT_EQ(ListNodes(network), (Names{"Attention", "Reshape"}));
  ExpectAsCpuRef(network);
}

TEST(MergeAttention, ReadsAMaskBeforeItIsExpanded) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {2, 3}, 9, 11, 6);
  ExpandDescriptor expand;
  expand.rank = 4;
  const std::int64_t dims[] = {2, 1, 9, 11};
  std::copy_n(dims, 4, expand.dims);
  const TensorId mask =
      network.Add(LayerType::kExpand, expand, {network.AddInput({2, 1, 1, 11})}, {2, 1, 9, 11});
  FinishAttention(network, heads,
                  AddBinary(network, Binary::kAdd, AddScores(network, heads), mask));
  ExpectIsMerged(network);
}

TEST(MergeAttention, WritesWhereSeveralRead) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {2, 3}, 9, 11, 6);
  const TensorId result =
      AddProduct(network, AddSoftmax(network, AddScores(network, heads)), heads.values, 0);
  network.AddOutput(AddTranspose(network, result, {0, 2, 1, 3}));
  network.AddOutput(AddActivation(network, result, ActivationFunction::kRelu));
  EXPECT_EQ(ListNodes(network), (Names{"Attention", "Transpose", "Elements+"}));
  ExpectAsCpuRef(network);
}

TEST(MergeAttention, LeavesScoresThatOthersRead) {
  for (int read = 0; read < 4; ++read) {
    NetworkCase network;
    const Heads heads = AddHeads(network, {2}, 9, 11, 6);
    const TensorId product = AddProduct(network, heads.queries, heads.keys, 1);
    const TensorId scores = AddBinary(network, Binary::kMul, product, 0.5F);
    const TensorId masked = AddBinary(network, Binary::kAdd, scores, network.AddInput({9, 11}));
    const TensorId shares = AddSoftmax(network, masked);
    network.AddOutput(AddProduct(network, shares, heads.values, 0));
    network.AddOutput(std::vector<TensorId>{product, scores, masked, shares}[read]);
    ExpectStaysApart(network);
  }
}

TEST(MergeAttention, LeavesReplacementsThatMeanSomethingElse) {
  for (int way = 0; way < 4; ++way) {
    NetworkCase network;
    const Heads heads = AddHeads(network, {2}, 9, 11, 6);
    const TensorId scores = AddScores(network, heads);
    const TensorId shares = AddSoftmax(network, scores);
    const TensorId tested = way == 0 ? scores : shares;
    const TensorId kept = way == 1 ? network.AddInput({2, 9, 11}) : shares;
    const TensorId replaced = ReplaceNan(network, tested, kept, way == 2 ? 0.5F : 0.0F);
    network.AddOutput(AddProduct(network, replaced, heads.values, 0));
    if (way == 3) network.AddOutput(replaced);
    ExpectStaysApart(network);
  }
}

TEST(MergeAttention, LeavesASoftmaxOfColumns) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {2}, 9, 11, 6);
  SoftmaxDescriptor descriptor;
  descriptor.axis = 1;
  const TensorId shares =
      network.Add(LayerType::kSoftmax, descriptor, {AddScores(network, heads)}, {2, 9, 11});
  network.AddOutput(AddProduct(network, shares, heads.values, 0));
  ExpectStaysApart(network);
}

TEST(MergeAttention, LeavesAScaleBehindTheMask) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {2}, 9, 11, 6);
  const TensorId masked =
      AddBinary(network, Binary::kAdd, AddScores(network, heads), network.AddInput({9, 11}));
  FinishAttention(network, heads, AddBinary(network, Binary::kMul, masked, 0.5F));
  ExpectStaysApart(network);
}

TEST(MergeAttention, LeavesScoresThatAreRepeated) {
  NetworkCase network;
  const Heads heads = {network.AddInput({1, 9, 6}), network.AddInput({1, 11, 6}),
                       network.AddInput({4, 11, 6})};
  FinishAttention(network, heads, AddScores(network, heads));
  ExpectStaysApart(network);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
