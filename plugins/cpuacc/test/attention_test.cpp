#include "test/attention_case.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

TEST(Attention, HasAnySize) {
  const std::int64_t sizes[][3] = {{1, 1, 1},     {1, 130, 64},   {2, 65, 40},  {3, 1, 80},
                                   {5, 64, 128},  {7, 63, 1},     {8, 100, 33}, {64, 64, 64},
                                   {65, 129, 17}, {197, 197, 20}, {300, 70, 8}};
  for (const auto& [num_queries, num_keys, width] : sizes) {
    SCOPED_TRACE(std::to_string(num_queries) + " queries, " + std::to_string(num_keys) +
                 " keys of " + std::to_string(width));
    NetworkCase network;
    const Heads heads = AddHeads(network, {2, 3}, num_queries, num_keys, width);
    FinishAttention(network, heads, AddScores(network, heads));
    ExpectIsMerged(network);
  }
}

TEST(Attention, HasAnyNumberOfBatchAxes) {
  for (const TensorShape& batch : {TensorShape{}, TensorShape{3}, TensorShape{2, 1, 3, 2}}) {
    NetworkCase network;
    const Heads heads = AddHeads(network, batch, 9, 11, 6);
    FinishAttention(network, heads, AddScores(network, heads));
    ExpectIsMerged(network);
  }
}

TEST(Attention, RepeatsKeysAndValuesOfOneHead) {
  NetworkCase network;
  const Heads heads = {network.AddInput({2, 4, 9, 6}), network.AddInput({2, 1, 11, 6}),
                       network.AddInput({11, 7})};
  FinishAttention(network, heads, AddScores(network, heads));
  ExpectIsMerged(network);
}

TEST(Attention, AddsMasksOfEveryShape) {
  for (const TensorShape& shape : {TensorShape{9, 11}, TensorShape{1, 11}, TensorShape{9, 1},
                                   TensorShape{11}, TensorShape{2, 1, 1, 11}, TensorShape{3, 9, 11},
                                   TensorShape{2, 3, 9, 11}, TensorShape{2, 1, 9, 1}}) {
    for (const std::int64_t num_queries : {9, 70}) {
      TensorShape mask = shape;
      for (std::uint32_t axis = 0; axis < mask.rank; ++axis) {
        if (mask[axis] == 9) mask[axis] = num_queries;
      }
      NetworkCase network;
      const Heads heads = AddHeads(network, {2, 3}, num_queries, 11, 6);
      const TensorId scores = AddScores(network, heads);
      FinishAttention(network, heads,
                      AddBinary(network, BinaryOperation::kAdd, scores, network.AddInput(mask)));
      ExpectIsMerged(network);
    }
  }
}

/// Negative infinity above the diagonal.
TensorId AddCausalMask(NetworkCase& network, std::int64_t length, std::int64_t num_hidden_rows) {
  StoredTensor mask{Float({length, length})};
  auto* numbers = reinterpret_cast<float*>(mask.bytes.data());
  for (std::int64_t query = 0; query < length; ++query) {
    for (std::int64_t key = 0; key < length; ++key) {
      const bool is_hidden = key > query || query >= length - num_hidden_rows;
      numbers[query * length + key] = is_hidden ? -std::numeric_limits<float>::infinity() : 0.0F;
    }
  }
  return network.AddConstant(mask);
}

TEST(Attention, HidesKeysByNegativeInfinity) {
  for (const std::int64_t length : {3, 20, 150}) {
    NetworkCase network;
    const Heads heads = AddHeads(network, {2}, length, length, 6);
    const TensorId mask = AddCausalMask(network, length, 0);
    FinishAttention(network, heads,
                    AddBinary(network, BinaryOperation::kAdd, AddScores(network, heads), mask));
    ExpectIsMerged(network);
  }
}

TEST(Attention, GivesNanWhereAllKeysAreHidden) {
  for (const std::int64_t length : {3, 150}) {
    NetworkCase network;
    const Heads heads = AddHeads(network, {2}, length, length, 6);
    const TensorId mask = AddCausalMask(network, length, 2);
    FinishAttention(network, heads,
                    AddBinary(network, BinaryOperation::kAdd, AddScores(network, heads), mask));
    ExpectIsMerged(network);
  }
}

TEST(Attention, GivesZeroWhereNanIsReplaced) {
  for (const std::int64_t length : {3, 150}) {
    NetworkCase network;
    const Heads heads = AddHeads(network, {2}, length, length, 6);
    const TensorId mask = AddCausalMask(network, length, 2);
    const TensorId probabilities = AddSoftmax(
        network, AddBinary(network, BinaryOperation::kAdd, AddScores(network, heads), mask));
    network.AddOutput(
        AddProduct(network, ReplaceNan(network, probabilities, probabilities), heads.values, 0));
    ExpectIsMerged(network);
  }
}

TEST(Attention, FillsScoresByConditions) {
  for (const bool keeps_where_true : {false, true}) {
    for (const float fill : {-1.0e9F, -std::numeric_limits<float>::infinity(), 0.5F}) {
      for (const TensorShape& shape : {TensorShape{70, 90}, TensorShape{2, 1, 1, 90}}) {
        NetworkCase network;
        const Heads heads = AddHeads(network, {2, 3}, 70, 90, 6);
        const TensorId condition = network.AddInput(TensorInfo(shape, DataType::kBool));
        const TensorId scores = AddScores(network, heads);
        const TensorId filler = network.AddConstant({}, fill);
        FinishAttention(network, heads,
                        keeps_where_true ? AddWhere(network, condition, scores, filler)
                                         : AddWhere(network, condition, filler, scores));
        ExpectIsMerged(network);
      }
    }
  }
}

TEST(Attention, BearsLargeScores) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {2}, 20, 150, 6);
  FinishAttention(network, heads, AddScores(network, heads, 1.0e30F));
  ExpectIsMerged(network);
}

TEST(Attention, GivesTheSameWithAnyNumberOfThreads) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {5}, 170, 150, 24);
  FinishAttention(network, heads, AddScores(network, heads));
  const std::vector<StoredTensor> inputs = MakeInputs(network.GetGraph(), network.GetRandom());
  cpuacc::Options options;
  options.num_threads = 1;
  const auto expected = RunCompiled(network.GetGraph(), inputs, options);
  for (const int num_threads : {2, 3, 7}) {
    options.num_threads = num_threads;
    EXPECT_EQ(RunCompiled(network.GetGraph(), inputs, options)[0].bytes, expected[0].bytes);
  }
}

TEST(Attention, KeepsNoScoresInMemory) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {2, 16}, 4096, 4096, 64);
  FinishAttention(network, heads, AddScores(network, heads));
  constexpr std::uint64_t kMostBytes = 1 << 20;  // a matrix of scores takes 64 MB
  for (const int num_threads : {1, 2}) {
    EXPECT_LT(CompileAlone(network, num_threads)->GetMemoryBytes(), kMostBytes);
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
