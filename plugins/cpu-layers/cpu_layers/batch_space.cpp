#include "cpu_layers/batch_space.hpp"

#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/moved_scales.hpp"
#include "cpu_layers/window.hpp"

#include <algorithm>

namespace backplane {
namespace cpu_layers {
namespace {

/// The indices of the batch side, from the first to behind the last, that lie in space.
struct Range {
  std::int64_t begin;
  std::int64_t end;
};

}  // namespace

BatchSpace::BatchSpace(const TensorShape& space, const TensorShape& batch,
                       std::uint32_t spatial_rank, const std::uint32_t* block,
                       const std::uint32_t* pads_begin, const std::uint32_t* pads_end)
    : space_(space), batch_(batch), spatial_rank_(spatial_rank) {
  for (std::uint32_t axis = 0; axis < spatial_rank; ++axis) {
    axes_[axis] = {block[axis], pads_begin[axis], pads_end[axis]};
  }
}

bool BatchSpace::IsSound() const {
  if (space_.rank != spatial_rank_ + 2 || batch_.rank != space_.rank || batch_[1] != space_[1]) {
    return false;
  }
  std::int64_t batches = space_[0];
  for (std::uint32_t i = 0; i < spatial_rank_; ++i) {
    const Axis& axis = axes_[i];
    std::int64_t padded = 0;
    std::int64_t whole = 0;
    if (axis.block == 0 || __builtin_mul_overflow(batches, axis.block, &batches) ||
        __builtin_add_overflow(space_[i + 2], axis.pad_begin + axis.pad_end, &padded) ||
        __builtin_mul_overflow(batch_[i + 2], axis.block, &whole) || padded != whole) {
      return false;
    }
  }
  return batches == batch_[0];
}

std::int64_t BatchSpace::CountPlaces() const {
  std::int64_t places = 1;
  for (std::uint32_t axis = 0; axis < spatial_rank_; ++axis) places *= axes_[axis].block;
  return places;
}

StridedCopy BatchSpace::MakeCopy(std::int64_t place, Direction direction,
                                 std::size_t element_bytes) const {
  const DenseSteps space_steps(space_);
  const DenseSteps batch_steps(batch_);
  const bool is_to_batch = direction == Direction::kToBatch;
  StridedCopy copy(element_bytes);
  const auto add = [&](std::int64_t extent, std::int64_t in_space, std::int64_t in_batch) {
    copy.AddAxis(extent, is_to_batch ? in_space : in_batch, is_to_batch ? in_batch : in_space);
  };
  const auto skip = [&](std::int64_t in_space, std::int64_t in_batch) {
    copy.Skip(is_to_batch ? in_space : in_batch, is_to_batch ? in_batch : in_space);
  };
  add(space_[0], space_steps[0], batch_steps[0]);
  add(space_[1], space_steps[1], batch_steps[1]);
  skip(0, place * space_[0] * batch_steps[0]);
  for (std::uint32_t i = spatial_rank_; i-- > 0;) {
    const Axis& axis = axes_[i];
    // Index k of the batch side is index k * block + shift of space.
    const std::int64_t shift = place % axis.block - axis.pad_begin;
    place /= axis.block;
    const Range range = {DivideUp(-shift, axis.block),
                         std::min(batch_[i + 2], DivideUp(space_[i + 2] - shift, axis.block))};
    add(std::max<std::int64_t>(range.end - range.begin, 0), axis.block * space_steps[i + 2],
        batch_steps[i + 2]);
    skip((range.begin * axis.block + shift) * space_steps[i + 2], range.begin * batch_steps[i + 2]);
  }
  copy.Prepare();
  return copy;
}

bool CheckBatchSpace(const Layer& layer, std::uint32_t spatial_rank, Refusal& refusal) {
  RequireMovedScales(layer, refusal, [](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (axis != 1) return std::nullopt;
    return axis;
  });
  RequireSpatialRank(spatial_rank, layer.Input(0), "input 0", refusal);
  return spatial_rank <= kMaxSpatialRank;
}

void RequireSound(const Layer& layer, const BatchSpace& sides, Refusal& refusal) {
  if (!refusal.IsEmpty() || sides.IsSound()) return;
  refusal.Add("input 0 with shape ", DescribeShape(layer.Input(0).shape),
              " does not give an output with shape ", DescribeShape(layer.Output().shape),
              " with the blocks and the padding or crops of the descriptor");
}

}  // namespace cpu_layers
}  // namespace backplane
