#include "nodes/node.hpp"
#include "operators/attention_heads.hpp"
#include "operators/element_layers.hpp"
#include "operators/head_attention.hpp"
#include "operators/head_rotation.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/required_shape.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace backplane::onnx {
namespace {

// What GroupQueryAttention says about its groups of heads, and about the rows of earlier runs.

/// Inputs of GroupQueryAttention. The query may hold all of query, key and value.
struct GroupQuery {
  enum Inputs : std::size_t {
    kQuery,
    kKey,
    kValue,
    kPastKey,
    kPastValue,
    kLengths,
    kTotalLength,
    kCosines,
    kSines,
    kPositions,
    kScoreBias,
    kSinks,
    kFirstUnknown,
  };
};

/// How much of everything there is.
struct GroupSizes {
  HeadExtents extents;  // of the scores
  std::int64_t groups = 0;
  std::int64_t width = 0;
  std::int64_t present = 0;             // rows of the outputs: maybe more than there are keys
  std::optional<OutputSlot> last_rows;  // int32 [batch]: where the new key lies, when batch
                                        // entries differ; there is one new key then
};

// Whether every batch entry has as many keys as the longest: what seqlens_k says, when it is known,
// or because there is one entry, or because these are the first rows.
bool AreEquallyLong(Node& node, const HeadExtents& extents) {
  RequireShape(node, GroupQuery::kLengths,
               node.GetInputShape(GroupQuery::kLengths).rank == 2 ? TensorShape{extents.batch, 1}
                                                                  : TensorShape{extents.batch},
               "its seqlens_k");
  if (extents.past == 0) return true;
  const auto lengths = node.FindConstantReals(GroupQuery::kLengths);
  if (!lengths) return extents.batch == 1;
  return std::all_of(lengths->begin(), lengths->end(), [&](double length) {
    return length == static_cast<double>(extents.keys - 1);
  });
}

std::int64_t ReadTotalLength(Node& node, std::int64_t num_new) {
  const std::int64_t total =
      node.ReadConstantInt(GroupQuery::kTotalLength, "total_sequence_length");
  if (total >= num_new) return total;
  node.RefuseAsInvalid("its total_sequence_length is " + std::to_string(total) + "; at least " +
                       std::to_string(num_new) + ", the number of new rows, is expected");
}

std::int64_t CountPastRows(const Node& node) {
  if (!node.HasInput(GroupQuery::kPastKey)) return 0;
  RequireRank(node, GroupQuery::kPastKey, 4, "its past_key");
  return node.GetInputShape(GroupQuery::kPastKey)[2];
}

void CheckPast(const Node& node, const GroupSizes& sizes) {
  const HeadExtents& extents = sizes.extents;
  const std::int64_t rows = CountPastRows(node);
  if (rows < extents.past) {
    node.RefuseAsInvalid("its past_key has " + std::to_string(rows) + " rows; at least " +
                         std::to_string(extents.past) +
                         ", total_sequence_length less the new rows, are expected");
  }
  for (const std::size_t past : {GroupQuery::kPastKey, GroupQuery::kPastValue}) {
    if (!node.HasInput(GroupQuery::kPastKey) && !node.HasInput(past)) continue;
    RequireShape(node, past, {extents.batch, sizes.groups, rows, sizes.width},
                 "one of past_key and past_value");
  }
}

// What the query and the attributes say of the heads.
void ReadGroups(Node& node, GroupSizes& sizes) {
  RequireRank(node, GroupQuery::kQuery, 3, "its query");
  const TensorShape query = node.GetInputShape(GroupQuery::kQuery);
  HeadExtents& extents = sizes.extents;
  extents.batch = query[0];
  extents.queries = query[1];
  extents.heads = ReadStatedCount(node, "num_heads");
  sizes.groups = ReadStatedCount(node, "kv_num_heads");
  const bool is_packed = !node.HasInput(GroupQuery::kKey);
  const std::int64_t heads = extents.heads + (is_packed ? 2 * sizes.groups : 0);
  sizes.width = query[2] / heads;
  if (extents.heads % sizes.groups == 0 && query[2] % heads == 0 && sizes.width > 0) return;
  node.RefuseAsInvalid("its query is " + ToText(query) + ", with num_heads " +
                       std::to_string(extents.heads) + " and kv_num_heads " +
                       std::to_string(sizes.groups) +
                       "; rows of equal heads, and equally many for each of kv_num_heads, are "
                       "expected");
}

// Where the new row of each batch entry lies.
OutputSlot AddLastRows(Node& node, const HeadExtents& extents) {
  if (extents.queries != 1) {
    node.RefuseAsUnsupported("its seqlens_k may differ between " + std::to_string(extents.batch) +
                             " batch entries, of which each has " +
                             std::to_string(extents.queries) +
                             " rows behind earlier ones; one row, or one entry, is supported");
  }
  const OutputSlot numbers =
      AddCast(node, node.GetInput(GroupQuery::kLengths), DataType::kInt32, "/lengths/numbers");
  return node.AddReshape(numbers, {extents.batch}, "/lengths");
}

// Errors: kInvalidModel, kUnsupportedAttribute, and kDataDependentShape when the number of all
// rows is not constant.
GroupSizes ReadGroupSizes(Node& node) {
  GroupSizes sizes;
  ReadGroups(node, sizes);
  HeadExtents& extents = sizes.extents;
  extents.keys = ReadTotalLength(node, extents.queries);
  extents.past = extents.keys - extents.queries;
  sizes.present = std::max(extents.keys, CountPastRows(node));
  CheckPast(node, sizes);
  if (!AreEquallyLong(node, extents)) sizes.last_rows = AddLastRows(node, extents);
  return sizes;
}

void RefuseUnknownParts(Node& node) {
  for (std::size_t index = GroupQuery::kFirstUnknown; index < node.GetNumInputs(); ++index) {
    if (!node.HasInput(index)) continue;
    node.RefuseAsUnsupported("it has input " + std::to_string(index) +
                             ", such as scales of a quantised cache; only those up to head_sink, "
                             "input 11, are supported");
  }
  if (node.IsOutputRead(3)) {
    node.RefuseAsUnsupported(
        "its output_qk is read; only the output and the present keys and "
        "values are supported");
  }
  for (const char* name : {"kv_cache_bit_width", "qk_output"}) {
    const std::int64_t value = node.GetAttributes().FindInt(name).value_or(0);
    if (value != 0) {
      node.GetAttributes().Refuse(name, std::to_string(value), "only 0 is supported");
    }
  }
  for (const char* name : {"k_quant_type", "v_quant_type"}) {
    const std::string type = node.GetAttributes().FindString(name).value_or("NONE");
    if (type != "NONE") {
      node.GetAttributes().Refuse(name, "\"" + type + "\"", "only NONE is supported");
    }
  }
}

// Query (0), key (1) or value (2) as heads.
OutputSlot GetHeads(Node& node, std::size_t part, const GroupSizes& sizes,
                    const std::string& suffix) {
  const std::int64_t heads = part == GroupQuery::kQuery ? sizes.extents.heads : sizes.groups;
  OutputSlot rows;
  if (node.HasInput(GroupQuery::kKey)) {
    RequireShape(node, part, {sizes.extents.batch, sizes.extents.queries, heads * sizes.width},
                 "one of query, key and value");
    rows = GetReals(node, part, suffix);
  } else {
    const std::int64_t first[] = {0, sizes.extents.heads, sizes.extents.heads + sizes.groups};
    rows = TakeElements(node, GetReals(node, GroupQuery::kQuery, suffix + "/all"), 2,
                        first[part] * sizes.width, heads * sizes.width, suffix + "/rows");
  }
  return AddHeads(node, rows, heads, suffix);
}

// The rows of a table of sines or cosines that belong to the new rows.
OutputSlot GetFactors(Node& node, std::size_t index, const GroupSizes& sizes,
                      const std::string& suffix) {
  const HeadExtents& extents = sizes.extents;
  const TensorShape table = node.GetInputShape(index);
  if (table.rank != 2 || table[0] < extents.keys || table[1] == 0 || 2 * table[1] > sizes.width) {
    node.RefuseAsInvalid("its table of sines or cosines is " + ToText(table) + "; at least " +
                         std::to_string(extents.keys) + " rows of at most " +
                         std::to_string(sizes.width / 2) + " elements are expected");
  }
  const OutputSlot reals = GetReals(node, index, suffix);
  std::optional<OutputSlot> places = sizes.last_rows;  // of one row in each entry
  if (node.HasInput(GroupQuery::kPositions)) {
    RequireShape(node, GroupQuery::kPositions, {extents.batch, extents.queries},
                 "its position_ids");
    places = node.GetInput(GroupQuery::kPositions);
  }
  if (!places) return TakeElements(node, reals, 0, extents.past, extents.queries, suffix + "/rows");
  const OutputSlot rows = node.AddLayer<LayerType::kGather>({}, {reals, *places}, suffix + "/rows");
  return node.AddReshape(rows, {extents.batch, 1, extents.queries, table[1]}, suffix + "/shape");
}

void AddRotations(Node& node, const GroupSizes& sizes, HeadAttention& attention) {
  const bool is_interleaved = node.GetAttributes().GetFlag("rotary_interleaved");
  if (node.GetAttributes().FindInt("do_rotary").value_or(0) == 0) {
    // What is of the rotation may be there nevertheless.
    for (const std::size_t index :
         {GroupQuery::kCosines, GroupQuery::kSines, GroupQuery::kPositions}) {
      node.HasInput(index);
    }
    return;
  }
  HeadRotation rotation;
  rotation.cosines = GetFactors(node, GroupQuery::kCosines, sizes, "/cosines");
  rotation.sines = GetFactors(node, GroupQuery::kSines, sizes, "/sines");
  if (is_interleaved) rotation.pairs = RotatedPairs::kNeighbours;
  attention.queries = AddHeadRotation(node, attention.queries, rotation, "/query/rotated");
  attention.keys = AddHeadRotation(node, attention.keys, rotation, "/key/rotated");
}

// With rows of 0 behind, up to so many. They are expanded, as their number follows extents.
OutputSlot AddRows(Node& node, OutputSlot heads, std::int64_t count, const std::string& suffix) {
  TensorShape shape = node.GetInfo(heads).shape;
  shape[2] = count - shape[2];
  if (shape[2] == 0) return heads;
  const OutputSlot zeros =
      AddExpand(node, node.AddScalar(0.0F, suffix + "/zero"), shape, suffix + "/zeros");
  return AddConcat(node, {heads, zeros}, 2, suffix);
}

// New rows behind those of earlier runs. What lies behind them in a longer past stays as it is:
// past and present may be one buffer.
OutputSlot AppendRows(Node& node, std::size_t which, OutputSlot added, const GroupSizes& sizes,
                      const std::string& suffix) {
  const HeadExtents& extents = sizes.extents;
  const std::size_t past = which - 1 + GroupQuery::kPastKey;
  const std::int64_t num_left = node.IsOutputRead(which) ? sizes.present - extents.keys : 0;
  if (extents.past == 0 && num_left == 0) return added;
  const OutputSlot rows = GetReals(node, past, suffix + "/past");
  std::vector<OutputSlot> parts;
  if (extents.past > 0) {
    parts.push_back(TakeElements(node, rows, 2, 0, extents.past, suffix + "/earlier"));
  }
  parts.push_back(added);
  if (num_left > 0) {
    parts.push_back(TakeElements(node, rows, 2, extents.keys, num_left, suffix + "/left"));
  }
  return AddConcat(node, parts, 2, suffix + "/present");
}

// A new row for each batch entry, at a place of its own.
OutputSlot PutRows(Node& node, std::size_t which, OutputSlot added, const GroupSizes& sizes,
                   const std::string& suffix) {
  const OutputSlot past = GetReals(node, which - 1 + GroupQuery::kPastKey, suffix + "/past");
  const OutputSlot place =
      node.AddReshape(*sizes.last_rows, {sizes.extents.batch, 1, 1, 1}, suffix + "/place");
  return PutHeadRow(node, AddRows(node, past, sizes.present, suffix + "/longer"), added, place,
                    suffix + "/present");
}

// The keys or values of all rows until now.
OutputSlot AddPresent(Node& node, std::size_t which, OutputSlot added, const GroupSizes& sizes,
                      const std::string& suffix) {
  const OutputSlot present = sizes.last_rows ? PutRows(node, which, added, sizes, suffix)
                                             : AppendRows(node, which, added, sizes, suffix);
  if (node.IsOutputRead(which)) {
    const DataType type = node.GetInputInfo(GroupQuery::kQuery).data_type;
    node.SetOutput(which, AddCast(node, present, type, suffix + "/present/output"));
  }
  return TakeElements(node, present, 2, 0, sizes.extents.keys, suffix + "/present/keys");
}

// No key behind the query, and of those before, with a window, only the nearest.
std::optional<OutputSlot> AddChoice(Node& node, const GroupSizes& sizes) {
  const HeadExtents& extents = sizes.extents;
  const std::int64_t window = node.GetAttributes().FindInt("local_window_size").value_or(-1);
  const bool has_window = window >= 0 && window < extents.keys;
  const bool is_last = extents.queries == 1 && !sizes.last_rows;
  if (is_last && !has_window) return {};
  const OutputSlot queries =
      sizes.last_rows
          ? node.AddReshape(*sizes.last_rows, {extents.batch, 1, 1, 1}, "/causal/queries")
          : AddPositions(node, extents.past, {extents.queries, 1}, "/causal/queries");
  const OutputSlot causal = AddKeysUpTo(node, extents.keys, queries);
  if (!has_window) return causal;
  const OutputSlot near =
      AddComparison(node, ComparisonOperation::kGreater,
                    AddPositions(node, window, {extents.keys}, "/window/keys"), queries, "/window");
  return node.AddLayer<LayerType::kLogicalBinary>({}, {causal, near}, "/choice");
}

// One more score for each query: 0, or what its head states.
std::optional<OutputSlot> AddSink(Node& node, const HeadExtents& extents) {
  const bool is_smooth = node.GetAttributes().FindInt("smooth_softmax").value_or(0) > 0;
  const bool is_stated = node.HasInput(GroupQuery::kSinks);
  if (!is_smooth && !is_stated) return {};
  OutputSlot score;
  if (is_stated) {
    RequireShape(node, GroupQuery::kSinks, {extents.heads}, "its head_sink");
    score = node.AddReshape(GetReals(node, GroupQuery::kSinks, "/sink"), {extents.heads, 1, 1},
                            "/sink/column");
  } else {
    score = node.AddScalar(0.0F, "/sink");
  }
  return AddBroadcast(node, score, {extents.batch, extents.heads, extents.queries, 1},
                      "/sink/scores");
}

}  // namespace

// Groups of heads share keys and values; new rows follow those of earlier runs.
void ConvertMicrosoftGroupQueryAttention(Node& node) {
  RefuseUnknownParts(node);
  const GroupSizes sizes = ReadGroupSizes(node);
  HeadAttention attention;
  attention.queries = GetHeads(node, 0, sizes, "/query");
  attention.keys = GetHeads(node, 1, sizes, "/key");
  attention.values = GetHeads(node, 2, sizes, "/value");
  AddRotations(node, sizes, attention);
  // Each head of a group reads the same keys.
  attention.keys = AddRepeatedHeads(node, AddPresent(node, 1, attention.keys, sizes, "/key"),
                                    sizes.extents.heads, "/key/heads");
  attention.values = AddRepeatedHeads(node, AddPresent(node, 2, attention.values, sizes, "/value"),
                                      sizes.extents.heads, "/value/heads");
  attention.scale = ReadScoreScale(node, sizes.width);
  attention.softcap = node.GetAttributes().FindFloat("softcap").value_or(0.0F);
  attention.added = GetScoreBias(node, GroupQuery::kScoreBias, sizes.extents);
  attention.chosen = AddChoice(node, sizes);
  attention.sink = AddSink(node, sizes.extents);
  SetHeadAttention(node, attention, node.GetInputInfo(GroupQuery::kQuery).data_type);
}

}  // namespace backplane::onnx
