#pragma once

/// Which keys the queries of attention see.

#include "nodes/node.hpp"

#include <cstdint>
#include <optional>

namespace backplane::onnx {

/// Queries lie behind `offset` keys: query i sees keys from i + offset - left to i + offset +
/// right.
struct AttentionWindow {
  std::optional<std::int64_t> left;
  std::optional<std::int64_t> right;
  std::int64_t offset = 0;
  /// Where only some of the keys count: how many in each entry of the batch, [batch]. The queries
  /// are the last of them then, and the offset is not read.
  std::optional<OutputSlot> num_keys;
};

/// One of the two, or none when every query sees every key. They broadcast to the scores.
struct AttentionMask {
  std::optional<OutputSlot> allowed;  // bool
  std::optional<OutputSlot> added;    // of the type of the scores
  /// Whether a query sees any key, bool with 1 key. Absent when each sees some.
  std::optional<OutputSlot> sees_any;
};

/// `index` is that of the input that is a mask, which may be absent; `type` that of the scores, and
/// `scores` their shape, [batch, heads, queries, keys].
/// Errors: kInvalidModel when the mask does not broadcast to the scores; kUnsupportedAttribute when
/// the window would be a constant beyond measure.
AttentionMask AddAttentionMask(Node& node, std::size_t index, const AttentionWindow& window,
                               const TensorShape& scores, DataType type);

/// What becomes of the scores.
OutputSlot ApplyMask(Node& node, const AttentionMask& mask, OutputSlot scores);

/// What queries that see no key give is 0.
OutputSlot ClearUnseeing(Node& node, const AttentionMask& mask, OutputSlot result,
                         const std::string& suffix);

}  // namespace backplane::onnx
