#pragma once

/// What GroupQueryAttention says about its groups of heads, and about the rows of earlier runs.

#include "nodes/node.hpp"
#include "operators/head_attention.hpp"

#include <cstdint>
#include <optional>

namespace backplane::onnx {

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

/// Errors: kInvalidModel, kUnsupportedAttribute, and kDataDependentShape when the number of all
/// rows is not constant.
GroupSizes ReadGroupSizes(Node& node);

}  // namespace backplane::onnx
