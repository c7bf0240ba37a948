#include "nodes/node.hpp"
#include "operators/attention_heads.hpp"
#include "operators/element_layers.hpp"
#include "operators/head_attention.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/shape.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

// Distances have buckets: half of them one each, the others share the rest by their logarithm.
struct Buckets {
  std::int64_t count = 0;
  std::int64_t max_distance = 0;
  bool is_bidirectional = false;

  std::int64_t Find(std::int64_t key, std::int64_t query) const {
    const std::int64_t count_of_side = is_bidirectional ? count / 2 : count;
    const bool is_behind = key > query;
    const std::int64_t first = is_bidirectional && is_behind ? count_of_side : 0;
    if (!is_bidirectional && is_behind) return 0;
    const std::int64_t distance = std::abs(query - key);
    const std::int64_t exact = count_of_side / 2;
    if (distance < exact) return first + distance;
    const float part = std::log(static_cast<float>(distance) / static_cast<float>(exact)) /
                       std::log(static_cast<float>(max_distance) / static_cast<float>(exact));
    const float beyond = part * static_cast<float>(count_of_side - exact);
    const std::int64_t most = count_of_side - 1;
    const bool is_last = !(beyond < static_cast<float>(most - exact));
    return first + (is_last ? most : exact + static_cast<std::int64_t>(beyond));
  }
};

Buckets ReadBuckets(Node& node) {
  RequireRank(node, 0, 2, "its bias_table");
  Buckets buckets;
  buckets.count = node.GetInputShape(0)[0];
  buckets.is_bidirectional = node.GetAttributes().GetFlag("is_bidirectional");
  buckets.max_distance = node.GetAttributes().FindInt("max_distance").value_or(0);
  const std::int64_t least = buckets.is_bidirectional ? 4 : 2;
  const std::int64_t exact = buckets.count / least;
  if (exact > 0 && buckets.max_distance > exact) return buckets;
  node.RefuseAsInvalid("it has " + std::to_string(buckets.count) + " buckets and max_distance " +
                       std::to_string(buckets.max_distance) + "; at least " +
                       std::to_string(least) +
                       " buckets, and a distance that more than half of a side have, are expected");
}

std::int64_t ReadLength(Node& node, std::size_t index, const char* meaning) {
  constexpr std::int64_t kMostLength = std::int64_t{1} << 30;
  const std::int64_t length = node.ReadConstantInt(index, meaning);
  if (length > 0 && length <= kMostLength) return length;
  node.RefuseAsInvalid(std::string("its ") + meaning + " is " + std::to_string(length) +
                       "; a number from 1 to 2^30 is expected");
}

// The gates of each query: two sums over halves of a product, as numbers between 0 and 1, of which
// the second is a factor of the heads' own.
OutputSlot AddGates(Node& node, OutputSlot queries) {
  const TensorShape heads = node.GetInfo(queries).shape;
  const std::int64_t columns = node.GetInputShape(3)[1];
  const OutputSlot product = node.AddLayer<LayerType::kBatchMatMul>(
      {}, {queries, GetReals(node, 3, "/weight")}, "/gate/product");
  const OutputSlot sum =
      AddBinary(node, BinaryOperation::kAdd, product, GetReals(node, 4, "/bias"), "/gate/bias");
  const OutputSlot halves =
      node.AddReshape(sum, {heads[0], heads[1], heads[2], 2, columns / 2}, "/gate/halves");
  ReduceDescriptor reduce;
  reduce.num_axes = 1;
  reduce.axes[0] = 4;
  const OutputSlot gates =
      AddActivation(node, ActivationFunction::kSigmoid,
                    node.AddLayer<LayerType::kReduce>(reduce, {halves}, "/gate/sums"), "/gates");
  const OutputSlot second = AddBinary(
      node, BinaryOperation::kSub,
      AddBinary(node, BinaryOperation::kMul, TakeElements(node, gates, 3, 1, 1, "/gate/second"),
                GetReals(node, 5, "/eco_a"), "/gate/own"),
      node.AddScalar(1.0F, "/one"), "/gate/less");
  const OutputSlot both =
      AddBinary(node, BinaryOperation::kMul, TakeElements(node, gates, 3, 0, 1, "/gate/first"),
                second, "/gate/both");
  return AddBinary(node, BinaryOperation::kAdd, both, node.AddScalar(2.0F, "/two"), "/gate");
}

void CheckGatedInputs(Node& node, std::int64_t num_heads) {
  for (const std::size_t index : {6, 7}) {
    if (!node.HasInput(index)) continue;
    node.RefuseAsUnsupported(
        "it has token_offset or cumulative_sequence_length, of batches without padding; only "
        "padded batches are supported");
  }
  RequireRank(node, 0, 3, "its query_layer");
  const TensorShape query = node.GetInputShape(0);
  RequireShape(node, 1, {query[2]}, "its query_bias");
  RequireShape(node, 2, {1, num_heads, query[1], query[1]}, "its rel_pos");
  RequireRank(node, 3, 2, "its weight");
  const std::int64_t columns = node.GetInputShape(3)[1];
  RequireShape(node, 3, {query[2] / num_heads, columns}, "its weight");
  RequireShape(node, 4, {columns}, "its bias");
  RequireShape(node, 5, {1, num_heads, 1, 1}, "its eco_a");
  if (columns % 2 == 0) return;
  node.RefuseAsInvalid("its weight has " + std::to_string(columns) +
                       " columns; an even number is expected");
}

}  // namespace

// [1, heads, queries, keys] from a table [buckets, heads].
void ConvertMicrosoftRelativePositionBias(Node& node) {
  const Buckets buckets = ReadBuckets(node);
  const std::int64_t queries = ReadLength(node, 1, "query_length");
  const std::int64_t keys = ReadLength(node, 2, "key_length");
  const TensorInfo info({queries, keys}, DataType::kInt32);
  if (!node.TakeMemory(info.GetSizeBytes())) {
    node.RefuseAsUnsupported("its " + ToText(info.shape) +
                             " distances take more memory than imports may");
  }
  std::vector<std::int32_t> indices;
  indices.reserve(static_cast<std::size_t>(queries * keys));
  for (std::int64_t query = 0; query < queries; ++query) {
    for (std::int64_t key = 0; key < keys; ++key) {
      indices.push_back(static_cast<std::int32_t>(buckets.Find(key, query)));
    }
  }
  const std::int64_t heads = node.GetInputShape(0)[1];
  GatherDescriptor gather;
  gather.axis = 1;
  const OutputSlot by_head = AddTranspose(node, node.GetInput(0), {1, 0}, "/by_head");
  const OutputSlot bias = node.AddLayer<LayerType::kGather>(
      gather, {by_head, node.AddConstant(info, indices.data(), "/buckets")}, "/rows");
  node.SetOutput(node.AddReshape(bias, {1, heads, queries, keys}));
}

// The bias of positions times gates that the queries open: [batch, heads, queries, keys].
void ConvertMicrosoftGatedRelativePositionBias(Node& node) {
  const std::int64_t num_heads = ReadStatedCount(node, "num_heads");
  CheckGatedInputs(node, num_heads);
  const OutputSlot rows = AddBinary(node, BinaryOperation::kAdd, GetReals(node, 0, "/query"),
                                    GetReals(node, 1, "/query_bias"), "/query/sum");
  const OutputSlot gates = AddGates(node, AddHeads(node, rows, num_heads, "/query/heads"));
  const OutputSlot result =
      AddBinary(node, BinaryOperation::kMul, GetReals(node, 2, "/rel_pos"), gates, "");
  node.SetOutput(AddCast(node, result, node.GetInputInfo(0).data_type, "/output"));
}

}  // namespace backplane::onnx
