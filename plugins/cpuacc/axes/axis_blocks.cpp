#include "axes/axis_blocks.hpp"

#include "simd/simd.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {

using cpu_layers::MergedAxes;
using cpu_layers::MergedAxis;

AxisBlocks::AxisBlocks(const TensorShape& shape, const cpu_layers::AxisSet& axes) {
  const MergedAxes merged = cpu_layers::MergeAxes(shape, axes);
  has_rows_ = merged.count > 0 && merged.axes[0].is_in_set;
  if (!has_rows_ && merged.count > 0) num_neighbours_ = merged.axes[0].extent;
  // What the innermost loop of a group runs over; without axes, a group is one element.
  const std::uint32_t innermost = has_rows_ ? 0 : 1;
  for (std::uint32_t i = merged.count; i-- > 0;) {
    const MergedAxis& axis = merged.axes[i];
    if (axis.is_in_set) group_size_ *= axis.extent;
    if (i == innermost) {
      inner_.num_rows = axis.extent;
      inner_.step = axis.step;
    } else if (axis.is_in_set) {
      parts_.Append(axis.extent, axis.step);
    } else if (i > 0) {
      others_.Append(axis.extent, axis.step);
      count_ *= axis.extent;
    }
  }
  blocks_of_neighbours_ = (num_neighbours_ + kMostLanes - 1) / kMostLanes;
  count_ *= blocks_of_neighbours_;
}

AxisBlock AxisBlocks::GetBlock(std::int64_t index) const {
  AxisBlock block;
  const std::int64_t begin = index % blocks_of_neighbours_ * kMostLanes;
  index /= blocks_of_neighbours_;
  block.offset = begin;
  block.first_group = index * num_neighbours_ + begin;
  block.num_groups = std::min(kMostLanes, num_neighbours_ - begin);
  for (std::uint32_t loop = others_.depth; loop-- > 0;) {
    block.offset += index % others_.extents[loop] * others_.steps[loop];
    index /= others_.extents[loop];
  }
  return block;
}

std::int64_t AxisBlocks::GetGrain(std::int64_t weight) const {
  constexpr std::int64_t kWorthAThread = 32768;
  const std::int64_t lanes = std::max<std::int64_t>(1, std::min(num_neighbours_, kMostLanes));
  // No product of the weight and a large group: that could overflow.
  const std::int64_t elements = std::max<std::int64_t>(1, group_size_) * lanes;
  return std::max<std::int64_t>(1, kWorthAThread / weight / elements);
}

void ReduceBlock(const AxisBlocks& blocks, const AxisBlock& block, Reduction reduction,
                 const float* input, double* states, const double* origins) {
  const RowFunctions& functions = GetSimdFunctions().rows;
  if (blocks.HasRows()) {
    const double origin = origins == nullptr ? 0.0 : *origins;
    const RowFunctions::ReduceRow reduce = functions.GetRow(reduction);
    blocks.VisitRows(block, [&](std::int64_t offset, std::int64_t length) {
      *states = reduce(input + offset, length, *states, origin);
    });
    return;
  }
  const RowFunctions::ReduceColumns reduce = functions.GetColumns(reduction);
  blocks.VisitPanels(block, [&](std::int64_t offset, const Panel& panel) {
    reduce(input + offset, panel, states, origins);
  });
}

void ReduceWhole(const AxisBlocks& blocks, const AxisBlock& block, Reduction reduction,
                 const float* input, double* states) {
  std::fill_n(states, block.num_groups, GetStart(reduction));
  ReduceBlock(blocks, block, reduction, input, states);
}

void ComputeMoments(const AxisBlocks& blocks, const AxisBlock& block, const float* input,
                    double* means, double* variances) {
  const auto size = static_cast<double>(blocks.GetGroupSize());
  ReduceWhole(blocks, block, Reduction::kSum, input, means);
  std::transform(means, means + block.num_groups, means, [=](double sum) { return sum / size; });
  std::fill_n(variances, block.num_groups, 0.0);
  ReduceBlock(blocks, block, Reduction::kSquareDifferences, input, variances, means);
  std::transform(variances, variances + block.num_groups, variances,
                 [=](double sum) { return sum / size; });
}

}  // namespace cpuacc
}  // namespace backplane
