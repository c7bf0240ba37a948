#include "layout/layout_axes.hpp"

#include "cpu_layers/dense_steps.hpp"
#include "layout/channel_blocks.hpp"

#include <algorithm>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

LayoutAxes MakeDenseAxes(const TensorShape& shape) {
  const cpu_layers::DenseSteps steps(shape);
  LayoutAxes axes;
  axes.rank = shape.rank;
  std::copy_n(shape.dims, shape.rank, axes.extents);
  std::copy_n(steps.steps, shape.rank, axes.steps);
  return axes;
}

/// The axes in the order in which they lie in memory, when that is all there is to the layout.
std::optional<std::vector<std::uint32_t>> FindOrder(const TensorShape& shape,
                                                    const Layout& layout) {
  const dnnl_blocking_desc_t& blocking = layout.GetBlocked().data.format_desc.blocking;
  if (blocking.inner_nblks != 0) return {};
  std::vector<std::uint32_t> order;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) order.push_back(axis);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return blocking.strides[a] > blocking.strides[b];
  });
  std::int64_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (shape[order[i]] != 1 && blocking.strides[order[i]] != stride) return {};
    stride *= shape[order[i]];
  }
  return order;
}

LayoutAxes MakePermutedAxes(const TensorShape& shape, const std::vector<std::uint32_t>& order) {
  LayoutAxes axes = MakeDenseAxes(shape);
  std::int64_t step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    axes.steps[order[i]] = step;
    step *= shape[order[i]];
  }
  return axes;
}

}  // namespace

std::optional<LayoutAxes> FindLayoutAxes(const TensorInfo& info, const Layout& layout) {
  if (layout.IsPlain()) return MakeDenseAxes(info.shape);
  const std::int64_t block = GetChannelBlock(info, layout);
  if (block == 0) {
    const auto order = FindOrder(info.shape, layout);
    if (!order) return {};
    return MakePermutedAxes(info.shape, *order);
  }
  TensorShape blocks = info.shape;
  blocks[1] = (blocks[1] + block - 1) / block;
  LayoutAxes axes = MakeDenseAxes(blocks);
  for (std::uint32_t axis = 0; axis < axes.rank; ++axis) axes.steps[axis] *= block;
  axes.block = block;
  return axes;
}

std::optional<Layout> MakeLayoutLike(const TensorInfo& info, const Layout& layout,
                                     const TensorInfo& other) {
  if (layout.IsPlain()) return Layout();
  if (!HasDnnlType(other.data_type) || other.shape.rank != info.shape.rank) return {};
  const std::int64_t block = GetChannelBlock(info, layout);
  if (block != 0) return MakeChannelBlocks(other, block);
  const auto order = FindOrder(info.shape, layout);
  if (!order) return {};
  const LayoutAxes axes = MakePermutedAxes(other.shape, *order);
  const dnnl::memory::dims strides(axes.steps, axes.steps + axes.rank);
  return Layout(dnnl::memory::desc(ToDims(other.shape), ToDnnlType(other.data_type), strides),
                other);
}

bool IsCutBetweenBlocks(std::int64_t begin, std::int64_t count, std::int64_t whole,
                        std::int64_t block) {
  return begin % block == 0 && (count % block == 0 || begin + count == whole);
}

}  // namespace cpuacc
}  // namespace backplane
