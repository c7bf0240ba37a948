#pragma once

/// What a node of NodeKind::kAttention computes.

#include "simd/attention_functions.hpp"

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Axes in front of the matrices, at most.
constexpr std::uint32_t kMostBatchAxes = kMaxRank - 2;

/// Where the matrices of a tensor lie. Offset and steps count elements; a step of 0 repeats, as
/// that of heads that share their keys and values.
struct AttentionOperand {
  std::int64_t offset = 0;
  std::int64_t batch[kMostBatchAxes] = {};
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// A mask [queries, keys], of float32, or of bool where it fills.
struct AttentionMask {
  AttentionOperand operand;
  MaskKind kind = MaskKind::kNone;
  float fill = 0.0F;
};

/// For each index of the batch: Softmax(mask(scale * queries * transposed keys)) * values, in
/// float32. Inputs are queries, keys, values, and the masks that there are, in the order in which
/// they apply. All are plain, and may be the same tensor.
struct AttentionDescriptor : Descriptor<AttentionDescriptor> {
  std::uint32_t num_batch_axes = 0;
  std::int64_t batch[kMostBatchAxes] = {};
  std::int64_t num_queries = 0;
  std::int64_t num_keys = 0;
  std::int64_t depth = 0;  // of a query and a key
  std::int64_t width = 0;  // of a value
  AttentionOperand queries;
  AttentionOperand keys;
  AttentionOperand values;
  AttentionMask masks[kMostMasks];
  AttentionOperand result;
  float scale = 1.0F;
  std::uint32_t replaces_nan = 0;  // 1: probabilities that would be NaN are 0
};
BACKPLANE_CHECK_DESCRIPTOR(AttentionDescriptor, replaces_nan);

/// How many matrices of queries there are.
inline std::int64_t CountBatches(const AttentionDescriptor& attention) {
  std::int64_t count = 1;
  for (std::uint32_t axis = 0; axis < attention.num_batch_axes; ++axis) {
    count *= attention.batch[axis];
  }
  return count;
}

}  // namespace cpuacc
}  // namespace backplane
