#include "kernels/broadcast.hpp"

#include <algorithm>

namespace backplane {
namespace cpuref {
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

/// Says whether going on along the last axis collected so far is the same as one step along an
/// outer axis.
bool ContinuesInto(std::int64_t outer_step, std::int64_t inner_step, std::int64_t inner_extent) {
  return outer_step == inner_step * inner_extent;
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

Broadcast MakeBroadcast(const TensorShape& a, const TensorShape& b, const TensorShape& result) {
  std::int64_t steps_a[kMaxRank] = {};
  std::int64_t steps_b[kMaxRank] = {};
  GetSteps(a, result.rank, steps_a);
  GetSteps(b, result.rank, steps_b);

  Broadcast merged;
  for (std::uint32_t axis = 0; axis < result.rank; ++axis) {
    const std::int64_t extent = result[axis];
    if (extent == 1) continue;
    const std::uint32_t last = merged.rank - 1;
    if (merged.rank > 0 && ContinuesInto(merged.steps_a[last], steps_a[axis], extent) &&
        ContinuesInto(merged.steps_b[last], steps_b[axis], extent)) {
      merged.extents[last] *= extent;
      merged.steps_a[last] = steps_a[axis];
      merged.steps_b[last] = steps_b[axis];
      continue;
    }
    merged.extents[merged.rank] = extent;
    merged.steps_a[merged.rank] = steps_a[axis];
    merged.steps_b[merged.rank] = steps_b[axis];
    ++merged.rank;
  }
  if (merged.rank == 0) merged.extents[merged.rank++] = 1;
  return merged;
}

}  // namespace cpuref
}  // namespace backplane
