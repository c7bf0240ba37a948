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
#include <optional>
#include <string>

namespace backplane::onnx {
namespace {

struct DecoderMasked {
  enum Inputs : std::size_t {
    kQuery,
    kKey,
    kValue,
    kMask,
    kScoreBias,
    kPastKey,
    kPastValue,
    kPastLength,
    kBeamWidth,
    kCacheIndirection,
    kBias,
  };
};

void RefuseBeams(Node& node) {
  node.HasInput(DecoderMasked::kBeamWidth);  // is of cache_indirection
  if (node.HasInput(DecoderMasked::kCacheIndirection)) {
    node.RefuseAsUnsupported(
        "it has cache_indirection, by which beams share keys; only beams with keys of their own "
        "are supported");
  }
  const std::int64_t output_qk = node.GetAttributes().FindInt("output_qk").value_or(0);
  if (output_qk != 0 || node.IsOutputRead(3)) {
    node.RefuseAsUnsupported(
        "its output qk is read; only the output and the present keys and values are supported");
  }
}

// One of query, key and value as heads of one row.
OutputSlot GetRowHeads(Node& node, std::size_t index, std::int64_t num_heads,
                       const std::string& suffix) {
  const TensorShape query = node.GetInputShape(DecoderMasked::kQuery);
  RequireShape(node, index, {query[0], 1, query[2]}, "one of query, key and value");
  const OutputSlot rows = AddPartOfBias(node, GetReals(node, index, suffix), DecoderMasked::kBias,
                                        static_cast<std::int64_t>(index) * query[2], suffix);
  return AddHeads(node, rows, num_heads, suffix);
}

// How many keys are in front of the new one, when that is known: stated, or by what belongs to each
// key.
std::optional<std::int64_t> FindNumPast(Node& node) {
  const auto stated = node.FindConstantInts(DecoderMasked::kPastLength, "past_sequence_length");
  if (stated && stated->size() == 1) return stated->front();
  for (const std::size_t index : {DecoderMasked::kMask, DecoderMasked::kScoreBias}) {
    if (!node.HasInput(index)) continue;
    const TensorShape& shape = node.GetInputShape(index);
    const std::int64_t num_keys = shape.rank >= 2 ? shape[shape.rank - 1] : 1;
    if (num_keys > 1) return num_keys - 1;  // one may stand for all
  }
  return {};
}

// int32, of one element.
OutputSlot AddPlace(Node& node, const std::optional<std::int64_t>& num_past,
                    const std::string& suffix) {
  if (num_past) return AddPositions(node, *num_past, {1, 1, 1, 1}, suffix);
  const OutputSlot number = AddCast(node, node.GetInput(DecoderMasked::kPastLength),
                                    DataType::kInt32, suffix + "/number");
  return node.AddReshape(number, {1, 1, 1, 1}, suffix);
}

// The new row in its place in the buffer of those before, which is an output; gives the rows that
// there are now, or the whole buffer when that is not known.
OutputSlot AddRowInBuffer(Node& node, std::size_t which, OutputSlot row,
                          const std::optional<std::int64_t>& num_past, const std::string& suffix) {
  const std::size_t past = DecoderMasked::kPastKey + which - 1;
  const TensorShape found = node.GetInputShape(past);
  TensorShape expected = node.GetInfo(row).shape;
  if (found.rank == 4) expected[2] = found[2];
  RequireShape(node, past, expected, "one of past_key and past_value");
  if (num_past && (*num_past < 0 || *num_past >= found[2])) {
    node.RefuseAsInvalid("its past_sequence_length is " + std::to_string(*num_past) +
                         "; a row of its buffers, which have " + std::to_string(found[2]) +
                         ", is expected");
  }
  const OutputSlot buffer =
      PutHeadRow(node, GetReals(node, past, suffix + "/past"), row,
                 AddPlace(node, num_past, suffix + "/place"), suffix + "/present");
  node.SetOutput(which, AddCast(node, buffer, node.GetInputInfo(DecoderMasked::kQuery).data_type,
                                suffix + "/present/output"));
  return num_past ? TakeElements(node, buffer, 2, 0, *num_past + 1, suffix + "/rows") : buffer;
}

// Keys and values of this row and those before.
void AddOwnKeys(Node& node, std::int64_t num_heads, HeadAttention& attention) {
  const std::int64_t shares = node.GetAttributes().FindInt("past_present_share_buffer").value_or(0);
  if (shares == 0 || !node.HasInput(DecoderMasked::kPastLength)) {
    node.RefuseAsUnsupported(
        "it has keys of its own, but no buffer for them; past_present_share_buffer 1 with "
        "past_sequence_length is supported");
  }
  if (node.GetInputShape(DecoderMasked::kPastLength).GetNumElements() != 1) {
    node.RefuseAsInvalid("its past_sequence_length is " +
                         ToText(node.GetInputShape(DecoderMasked::kPastLength)) +
                         "; one number is expected");
  }
  const auto num_past = FindNumPast(node);
  const OutputSlot key = GetRowHeads(node, DecoderMasked::kKey, num_heads, "/key");
  const OutputSlot value = GetRowHeads(node, DecoderMasked::kValue, num_heads, "/value");
  attention.keys = AddRowInBuffer(node, 1, key, num_past, "/key");
  attention.values = AddRowInBuffer(node, 2, value, num_past, "/value");
  if (num_past) return;
  attention.chosen =
      AddKeysUpTo(node, node.GetInfo(attention.keys).shape[2], AddPlace(node, num_past, "/last"));
}

// Keys and values of an encoder, which are heads already and have their bias.
void GetOtherKeys(Node& node, HeadAttention& attention) {
  const TensorShape queries = node.GetInfo(attention.queries).shape;
  const TensorShape expected = {queries[0], queries[1], node.GetInputShape(DecoderMasked::kKey)[2],
                                queries[3]};
  RequireShape(node, DecoderMasked::kKey, expected, "its key");
  RequireShape(node, DecoderMasked::kValue, expected, "its value");
  attention.keys = GetReals(node, DecoderMasked::kKey, "/key");
  attention.values = GetReals(node, DecoderMasked::kValue, "/value");
  node.GetAttributes().Ignore("past_present_share_buffer");  // there is none
}

}  // namespace

// One row, behind those that a buffer has, or that reads those of an encoder.
void ConvertMicrosoftDecoderMaskedMultiHeadAttention(Node& node) {
  RefuseBeams(node);
  const std::int64_t num_heads = ReadStatedCount(node, "num_heads");
  RequireRank(node, DecoderMasked::kQuery, 3, "its query");
  if (node.HasInput(DecoderMasked::kBias)) {
    const std::int64_t width = node.GetInputShape(DecoderMasked::kQuery)[2];
    RequireShape(node, DecoderMasked::kBias, {3 * width}, "its bias");
  }
  HeadAttention attention;
  attention.queries = GetRowHeads(node, DecoderMasked::kQuery, num_heads, "/query");
  if (node.GetInputShape(DecoderMasked::kKey).rank == 4) {
    GetOtherKeys(node, attention);
  } else {
    AddOwnKeys(node, num_heads, attention);
  }
  const TensorShape keys = node.GetInfo(attention.keys).shape;
  attention.scale = ReadScoreScale(node, keys[3]);
  const HeadExtents extents = {keys[0], num_heads, 1, keys[2], keys[2] - 1};
  attention.added = AddScoreMask(node, {DecoderMasked::kMask, DecoderMasked::kScoreBias}, extents);
  SetHeadAttention(node, attention, node.GetInputInfo(DecoderMasked::kQuery).data_type);
}

}  // namespace backplane::onnx
