#include "layout/physical_axes.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

std::vector<PhysicalAxis> GetPlainAxes(const TensorShape& shape) {
  std::vector<PhysicalAxis> axes;
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) axes.push_back({axis, 1, shape[axis]});
  return axes;
}

bool KeepsElementsOnly(const dnnl_memory_desc_t& desc) {
  return desc.format_kind == dnnl_blocked && desc.offset0 == 0 &&
         desc.extra.flags == dnnl_memory_extra_flag_none &&
         std::all_of(desc.padded_offsets, desc.padded_offsets + desc.ndims,
                     [](dnnl_dim_t offset) { return offset == 0; });
}

/// The loops inside of blocks, outermost first.
std::vector<PhysicalAxis> GetInnerAxes(const dnnl_blocking_desc_t& blocking) {
  std::vector<PhysicalAxis> axes;
  for (int index = 0; index < blocking.inner_nblks; ++index) {
    std::int64_t step = 1;
    for (int later = index + 1; later < blocking.inner_nblks; ++later) {
      if (blocking.inner_idxs[later] == blocking.inner_idxs[index]) {
        step *= blocking.inner_blks[later];
      }
    }
    axes.push_back(
        {static_cast<std::uint32_t>(blocking.inner_idxs[index]), step, blocking.inner_blks[index]});
  }
  return axes;
}

std::int64_t GetBlock(const dnnl_blocking_desc_t& blocking, int axis) {
  std::int64_t block = 1;
  for (int index = 0; index < blocking.inner_nblks; ++index) {
    if (blocking.inner_idxs[index] == axis) block *= blocking.inner_blks[index];
  }
  return block;
}

/// The loops over blocks, by their strides.
std::vector<PhysicalAxis> GetOuterAxes(const dnnl_memory_desc_t& desc) {
  const dnnl_blocking_desc_t& blocking = desc.format_desc.blocking;
  std::vector<PhysicalAxis> axes;
  for (int axis = 0; axis < desc.ndims; ++axis) {
    const std::int64_t block = GetBlock(blocking, axis);
    const std::int64_t extent = desc.padded_dims[axis] / block;
    if (extent != 1) axes.push_back({static_cast<std::uint32_t>(axis), block, extent});
  }
  std::stable_sort(axes.begin(), axes.end(), [&](const PhysicalAxis& a, const PhysicalAxis& b) {
    return blocking.strides[a.axis] > blocking.strides[b.axis];
  });
  return axes;
}

bool IsDense(const std::vector<PhysicalAxis>& outer, const std::vector<PhysicalAxis>& inner,
             const dnnl_blocking_desc_t& blocking) {
  std::int64_t stride = 1;
  for (const PhysicalAxis& axis : inner) stride *= axis.extent;
  for (auto axis = outer.rbegin(); axis != outer.rend(); ++axis) {
    if (blocking.strides[axis->axis] != stride) return false;
    stride *= axis->extent;
  }
  return true;
}

}  // namespace

std::optional<std::vector<PhysicalAxis>> FindPhysicalAxes(const TensorInfo& info,
                                                          const Layout& layout) {
  if (layout.IsPlain()) return GetPlainAxes(info.shape);
  const dnnl_memory_desc_t& desc = layout.GetBlocked().data;
  if (!KeepsElementsOnly(desc)) return {};
  const dnnl_blocking_desc_t& blocking = desc.format_desc.blocking;
  std::vector<PhysicalAxis> axes = GetOuterAxes(desc);
  const std::vector<PhysicalAxis> inner = GetInnerAxes(blocking);
  if (!IsDense(axes, inner, blocking)) return {};
  axes.insert(axes.end(), inner.begin(), inner.end());
  return axes;
}

}  // namespace cpuacc
}  // namespace backplane
