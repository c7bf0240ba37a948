#include "operators/group_query_sizes.hpp"

#include "operators/cast_layer.hpp"
#include "operators/required_shape.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <string>

namespace backplane::onnx {
namespace {

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
  extents.heads = ReadNumHeads(node, "num_heads");
  sizes.groups = ReadNumHeads(node, "kv_num_heads");
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

}  // namespace

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

}  // namespace backplane::onnx
