#pragma once

/// Attention as exporters write it: a product of queries and keys, a scale, a mask, a Softmax, and
/// a product with values.

#include "graph/graph_editor.hpp"
#include "simd/attention_functions.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

/// One factor of a product: [..., rows, columns], or with these two exchanged.
struct MatchedMatrix {
  TensorId tensor = kNoTensor;
  bool is_transposed = false;
};

/// A mask that broadcasts to the scores.
struct MatchedMask {
  TensorId tensor = kNoTensor;
  MaskKind kind = MaskKind::kNone;
  float fill = 0.0F;
};

struct AttentionMatch {
  MatchedMatrix queries;  // [queries, depth]
  MatchedMatrix keys;     // [keys, depth]
  MatchedMatrix values;   // [keys, width]
  TensorId scores = kNoTensor;
  std::vector<MatchedMask> masks;  // in the order in which they apply, at most kMostMasks
  float scale = 1.0F;
  bool replaces_nan = false;  // by 0, in the probabilities
  std::string name;           // of the layers that it takes the place of
};

/// Attention that ends with this product, and whose scores nobody else reads. Empty when it is
/// something else.
std::optional<AttentionMatch> FindAttention(const GraphEditor& editor, NodeIndex index);

}  // namespace cpuacc
}  // namespace backplane
