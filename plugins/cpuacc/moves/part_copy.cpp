#include "moves/part_copy.hpp"

namespace backplane {
namespace cpuacc {

bool CanCut(const TensorInfo& whole, const Layout& layout, const std::vector<TensorInfo>& parts,
            std::uint32_t axis) {
  const auto axes = FindLayoutAxes(whole, layout);
  if (!axes) return false;
  std::int64_t begin = 0;
  for (const TensorInfo& part : parts) {
    const std::int64_t extent = part.shape[axis];
    if (!MakeLayoutLike(whole, layout, part)) return false;
    if (axis == 1 && !IsCutBetweenBlocks(begin, extent, whole.shape[1], axes->block)) return false;
    begin += extent;
  }
  return true;
}

cpu_layers::StridedCopy MakePartCopy(const LaidTensor& whole, const LaidTensor& part,
                                     const PartOfAxis& place, PartIs direction) {
  const LayoutAxes outer = *FindLayoutAxes(whole.info, whole.layout);
  const LayoutAxes inner = *FindLayoutAxes(part.info, part.layout);
  const bool is_read = direction == PartIs::kRead;
  cpu_layers::StridedCopy copy(GetDataTypeSizeBytes(whole.info.data_type));
  for (std::uint32_t axis = 0; axis < inner.rank; ++axis) {
    copy.AddAxis(inner.extents[axis], is_read ? inner.steps[axis] : outer.steps[axis],
                 is_read ? outer.steps[axis] : inner.steps[axis]);
  }
  copy.AddAxis(outer.block, 1, 1);
  const std::int64_t units = place.axis == 1 ? place.begin / outer.block : place.begin;
  const std::int64_t offset = units * outer.steps[place.axis];
  copy.Skip(is_read ? 0 : offset, is_read ? offset : 0);
  copy.Prepare();
  return copy;
}

}  // namespace cpuacc
}  // namespace backplane
