#include "cpu_layers/broadcast.hpp"

#include <algorithm>

namespace backplane {
namespace cpu_layers {
namespace {

/// The extent of a shape along an axis of a longer shape of rank `rank`.
std::int64_t GetAlignedExtent(const TensorShape& shape, std::uint32_t axis, std::uint32_t rank) {
  const std::uint32_t missing = rank - shape.rank;
  return axis < missing ? 1 : shape[axis - missing];
}

/// The steps of a dense operand along the axes of the result.
void GetSteps(const TensorShape& operand, std::uint32_t rank, std::int64_t* steps) {
  std::int64_t step = 1;
  for (std::uint32_t axis = rank; axis-- > 0;) {
    const std::int64_t extent = GetAlignedExtent(operand, axis, rank);
    steps[axis] = extent == 1 ? 0 : step;
    step *= extent;
  }
}

/// Says whether, for all operands, going on along the last axis collected so far is the same as one
/// step along an outer axis.
bool ContinuesInto(const Broadcast& merged, const std::int64_t (&steps)[kMostOperands][kMaxRank],
                   std::uint32_t axis, std::int64_t extent) {
  if (merged.rank == 0) return false;
  for (std::uint32_t operand = 0; operand < kMostOperands; ++operand) {
    const std::int64_t outer_step = merged.steps[operand][merged.rank - 1];
    if (outer_step != steps[operand][axis] * extent) return false;
  }
  return true;
}

/// "[2, 3] of input 0 and [2] of input 1".
std::string DescribeShapes(const Layer& layer) {
  std::string text;
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    text += Text(index == 0 ? "" : " and ", DescribeShape(layer.Input(index).shape), " of input ",
                 index);
  }
  return text;
}

}  // namespace

std::optional<TensorShape> BroadcastShapes(const TensorShape& a, const TensorShape& b) {
  TensorShape result;
  const std::uint32_t rank = std::max(a.rank, b.rank);
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    const std::int64_t extent_a = GetAlignedExtent(a, axis, rank);
    const std::int64_t extent_b = GetAlignedExtent(b, axis, rank);
    if (extent_a != extent_b && extent_a != 1 && extent_b != 1) return std::nullopt;
    result.Append(extent_a == 1 ? extent_b : extent_a);
  }
  return result;
}

void RequireBroadcast(const Layer& layer, Refusal& refusal) {
  TensorShape result = layer.Input(0).shape;
  for (std::uint32_t index = 1; index < layer.num_inputs; ++index) {
    const std::optional<TensorShape> both = BroadcastShapes(result, layer.Input(index).shape);
    if (!both) {
      return refusal.Add("the shapes ", DescribeShapes(layer), " do not broadcast");
    }
    result = *both;
  }
  RequireOutputShape(layer, result, refusal);
}

void RequirePrelu(const Layer& layer, Refusal& refusal) {
  const TensorShape& input = layer.Input(0).shape;
  const TensorShape& slope = layer.Input(1).shape;
  if (BroadcastShapes(input, slope) != input) {
    refusal.Add("the slope ", DescribeShape(slope), " does not broadcast to the input ",
                DescribeShape(input));
  }
  RequireOutputShape(layer, input, refusal);
}

Broadcast MakeBroadcast(const std::vector<TensorShape>& operands, const TensorShape& result) {
  std::int64_t steps[kMostOperands][kMaxRank] = {};
  for (std::size_t operand = 0; operand < operands.size(); ++operand) {
    GetSteps(operands[operand], result.rank, steps[operand]);
  }
  Broadcast merged;
  for (std::uint32_t axis = 0; axis < result.rank; ++axis) {
    const std::int64_t extent = result[axis];
    if (extent == 1) continue;
    if (ContinuesInto(merged, steps, axis, extent)) {
      merged.extents[merged.rank - 1] *= extent;
    } else {
      merged.extents[merged.rank++] = extent;
    }
    for (std::uint32_t operand = 0; operand < kMostOperands; ++operand) {
      merged.steps[operand][merged.rank - 1] = steps[operand][axis];
    }
  }
  if (merged.rank == 0) merged.extents[merged.rank++] = 1;
  return merged;
}

Broadcast MakeBroadcast(const Layer& layer) {
  std::vector<TensorShape> operands;
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    operands.push_back(layer.Input(index).shape);
  }
  return MakeBroadcast(operands, layer.Output().shape);
}

}  // namespace cpu_layers
}  // namespace backplane
