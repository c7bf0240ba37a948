#pragma once

/// What the operators of attention have in common. Heads are [batch, heads, rows, width]; all reals
/// are float32, in which scores are also calculated of halves.

#include "nodes/node.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace backplane::onnx {

/// How many matrices there are, and how long they are.
struct HeadExtents {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t queries = 0;
  std::int64_t keys = 0;  // those of earlier runs, then new ones
  std::int64_t past = 0;  // of the keys those of earlier runs
};

/// Attention, and what becomes of its scores, [batch, heads, queries, keys], in this order.
struct HeadAttention {
  OutputSlot queries;
  OutputSlot keys;
  OutputSlot values;
  float scale = 1.0F;
  float softcap = 0.0F;              // scores become softcap * tanh(scores / softcap); 0: none
  std::optional<OutputSlot> added;   // to the scores
  std::optional<OutputSlot> chosen;  // bool: where not, the key has no part in the query's sum
  std::optional<OutputSlot> sink;    // [batch, heads, queries, 1]: one more score, of no key
};

/// The first output becomes the values that the scores choose, [batch, rows, heads * width] of the
/// type. The main layer of the node is the one that sums them up.
void SetHeadAttention(Node& node, const HeadAttention& attention, DataType type);

/// The attribute scale, or one by the square root of the width.
float ReadScoreScale(Node& node, std::int64_t width);

/// Rows [batch, rows, count] plus count elements of a bias, from `first` on; without the input the
/// rows themselves.
OutputSlot AddPartOfBias(Node& node, OutputSlot rows, std::size_t bias, std::int64_t first,
                         const std::string& suffix);

/// Heads with one row of each in another place: that which `place` says, int32 [batch or 1, 1, 1,
/// 1].
OutputSlot PutHeadRow(Node& node, OutputSlot heads, OutputSlot row, OutputSlot place,
                      const std::string& suffix);

/// The int32 numbers from `first` on, under this shape.
OutputSlot AddPositions(Node& node, std::int64_t first, const TensorShape& shape,
                        const std::string& suffix);
/// With the attribute unidirectional, bool [queries, keys]: no key that comes after the query, to
/// which the new key of the same index belongs; nothing when there is one. Errors:
/// kUnsupportedAttribute unless there are as many new keys as queries.
std::optional<OutputSlot> AddCausalChoice(Node& node, const HeadExtents& extents);

/// bool: of so many keys those up to `last`, int32 that broadcasts to the scores.
OutputSlot AddKeysUpTo(Node& node, std::int64_t num_keys, OutputSlot last);

/// What is added to scores: of the mask and of a bias whatever the node has. The mask is 0 for keys
/// that a tensor of integers keeps, and the attribute mask_filter_value for others. Its forms:
/// [batch], how many keys are kept; [2 * batch], likewise, and then how many in front of them are
/// not; [3 * batch + 2], of which the first are how many; [batch, keys], [batch, queries, keys] and
/// [batch, 1, most queries, most keys], of which those above 0 are kept.
/// Errors: kInvalidModel for other shapes.
struct ScoreInputs {
  std::size_t mask = 0;
  std::size_t bias = 0;
};
std::optional<OutputSlot> AddScoreMask(Node& node, const ScoreInputs& inputs,
                                       const HeadExtents& extents);
/// The bias alone, in float32.
std::optional<OutputSlot> GetScoreBias(Node& node, std::size_t index, const HeadExtents& extents);

}  // namespace backplane::onnx
