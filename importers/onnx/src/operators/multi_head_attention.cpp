#include "nodes/node.hpp"
#include "operators/attention_heads.hpp"
#include "operators/element_layers.hpp"
#include "operators/head_attention.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/shape.hpp"

#include <cstdint>
#include <string>

namespace backplane::onnx {
namespace {

// The query may hold all of query, key and value, and the key both of key and value.
struct MultiHead {
  enum Inputs : std::size_t {
    kQuery,
    kKey,
    kValue,
    kBias,
    kMask,
    kScoreBias,
    kPastKey,
    kPastValue,
    kPastLength,
    kCacheIndirection,
  };
};

// What one of query, key and value is, as rows [batch, rows, heads * width] or as heads.
struct HeadsOperand {
  OutputSlot slot;
  bool is_heads = false;
  std::string suffix;
};

void RefuseBuffers(Node& node) {
  if (node.HasInput(MultiHead::kPastLength) || node.HasInput(MultiHead::kCacheIndirection)) {
    node.RefuseAsUnsupported(
        "it has past_sequence_length or cache_indirection, that is buffers that it writes to; "
        "past keys and values are supported that are as long as their tensors");
  }
  if (node.IsOutputRead(3)) {
    node.RefuseAsUnsupported(
        "its output qk is read; only the output and the present keys and "
        "values are supported");
  }
}

// One of `num_parts` that lie side by side in [batch, rows, heads, num_parts, width].
HeadsOperand TakePart(Node& node, std::size_t index, std::int64_t part, std::int64_t num_parts,
                      const std::string& suffix) {
  const TensorShape shape = node.GetInputShape(index);
  if (shape[3] != num_parts) {
    node.RefuseAsInvalid("its input " + std::to_string(index) + " is " + ToText(shape) + "; " +
                         std::to_string(num_parts) + " parts along axis 3 are expected");
  }
  const OutputSlot all = GetReals(node, index, suffix);
  const OutputSlot slice = TakeElements(node, all, 3, part, 1, suffix + "/part");
  return {node.AddReshape(slice, {shape[0], shape[1], shape[2] * shape[4]}, suffix + "/rows"),
          false, suffix};
}

HeadsOperand GetOperand(Node& node, std::size_t index, const std::string& suffix) {
  const std::uint32_t rank = node.GetInputShape(index).rank;
  if (rank != 4 || index == MultiHead::kQuery)
    RequireRank(node, index, 3, "one of query, key and value");
  return {GetReals(node, index, suffix), rank == 4, suffix};
}

// Heads, such as those of a decoder's encoder, have their bias already.
OutputSlot AddOperandHeads(Node& node, const HeadsOperand& operand, std::int64_t first_bias,
                           std::int64_t num_heads) {
  if (operand.is_heads) return operand.slot;
  return AddHeads(node,
                  AddPartOfBias(node, operand.slot, MultiHead::kBias, first_bias, operand.suffix),
                  num_heads, operand.suffix);
}

std::int64_t GetRowWidth(Node& node, const HeadsOperand& operand) {
  const TensorShape& shape = node.GetInfo(operand.slot).shape;
  return operand.is_heads ? shape[1] * shape[3] : shape[2];
}

void ReadHeads(Node& node, std::int64_t num_heads, HeadAttention& attention) {
  const bool are_all_packed = node.GetInputShape(MultiHead::kQuery).rank == 5;
  const bool are_two_packed = !are_all_packed && node.GetInputShape(MultiHead::kKey).rank == 5;
  const auto get = [&](std::size_t index, const std::string& suffix) {
    const auto part = static_cast<std::int64_t>(index);
    if (are_all_packed) return TakePart(node, MultiHead::kQuery, part, 3, suffix);
    if (are_two_packed && index != MultiHead::kQuery)
      return TakePart(node, MultiHead::kKey, part - 1, 2, suffix);
    return GetOperand(node, index, suffix);
  };
  const HeadsOperand query = get(MultiHead::kQuery, "/query");
  const HeadsOperand key = get(MultiHead::kKey, "/key");
  const HeadsOperand value = get(MultiHead::kValue, "/value");
  const std::int64_t width = GetRowWidth(node, query);
  if (node.HasInput(MultiHead::kBias)) {
    RequireShape(node, MultiHead::kBias, {2 * width + GetRowWidth(node, value)}, "its bias");
  }
  attention.queries = AddOperandHeads(node, query, 0, num_heads);
  attention.keys = AddOperandHeads(node, key, width, num_heads);
  attention.values = AddOperandHeads(node, value, 2 * width, num_heads);
}

void RequireHeads(const Node& node, OutputSlot heads, std::int64_t width, std::int64_t rows,
                  const HeadExtents& extents, const char* meaning) {
  const TensorShape expected = {extents.batch, extents.heads, rows, width};
  const TensorShape& found = node.GetInfo(heads).shape;
  if (found == expected) return;
  node.RefuseAsInvalid(std::string(meaning) + " have the shape " + ToText(found) + "; " +
                       ToText(expected) + ", that of heads, is expected");
}

// New keys or values behind those of earlier runs; both together are an output.
OutputSlot AddPast(Node& node, std::size_t past, std::size_t present, OutputSlot heads,
                   const std::string& suffix) {
  OutputSlot all = heads;
  if (node.HasInput(past)) {
    const TensorShape& found = node.GetInputShape(past);
    TensorShape expected = node.GetInfo(heads).shape;
    if (found.rank == 4) expected[2] = found[2];
    RequireShape(node, past, expected, "one of past_key and past_value");
    all = AddConcat(node, {GetReals(node, past, suffix + "/past"), heads}, 2, suffix + "/present");
  }
  if (node.IsOutputRead(present)) {
    node.SetOutput(present, AddCast(node, all, node.GetInputInfo(MultiHead::kQuery).data_type,
                                    suffix + "/present/output"));
  }
  return all;
}

HeadExtents CheckHeads(const Node& node, std::int64_t num_heads, const HeadAttention& attention) {
  const TensorShape queries = node.GetInfo(attention.queries).shape;
  const std::int64_t num_keys = node.GetInfo(attention.keys).shape[2];
  const HeadExtents extents = {queries[0], num_heads, queries[2], num_keys, 0};
  const std::int64_t value_width = node.GetInfo(attention.values).shape[3];
  RequireHeads(node, attention.queries, queries[3], queries[2], extents, "its queries");
  RequireHeads(node, attention.keys, queries[3], extents.keys, extents, "its keys");
  RequireHeads(node, attention.values, value_width, extents.keys, extents, "its values");
  return extents;
}

}  // namespace

// Query, key and value come from products of their own; each may still lack its bias.
void ConvertMicrosoftMultiHeadAttention(Node& node) {
  RefuseBuffers(node);
  const std::int64_t num_heads = ReadStatedCount(node, "num_heads");
  HeadAttention attention;
  ReadHeads(node, num_heads, attention);
  const std::int64_t num_new = CheckHeads(node, num_heads, attention).keys;
  attention.keys = AddPast(node, MultiHead::kPastKey, 1, attention.keys, "/key");
  attention.values = AddPast(node, MultiHead::kPastValue, 2, attention.values, "/value");
  HeadExtents extents = CheckHeads(node, num_heads, attention);
  extents.past = extents.keys - num_new;
  attention.scale = ReadScoreScale(node, node.GetInfo(attention.queries).shape[3]);
  attention.added = AddScoreMask(node, {MultiHead::kMask, MultiHead::kScoreBias}, extents);
  attention.chosen = AddCausalChoice(node, extents);
  SetHeadAttention(node, attention, node.GetInputInfo(MultiHead::kQuery).data_type);
}

}  // namespace backplane::onnx
