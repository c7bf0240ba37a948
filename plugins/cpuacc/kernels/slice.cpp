#include "cpu_layers/movement_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "layout/layout_axes.hpp"
#include "moves/moves.hpp"

#include <backplane/api/descriptors/slice.hpp>

namespace backplane {
namespace cpuacc {
namespace {

/// Whether the slice takes no block of channels apart.
bool KeepsBlocks(const SliceDescriptor& slice, const TensorShape& input, std::int64_t block) {
  if (block == 1) return true;
  return slice.steps[1] == 1 &&
         IsCutBetweenBlocks(slice.starts[1], slice.extents[1], input[1], block);
}

StridedCopy MakeSliceCopy(const SliceDescriptor& slice, const TensorInfo& info,
                          const LayoutAxes& from, const LayoutAxes& to) {
  StridedCopy copy(GetDataTypeSizeBytes(info.data_type));
  for (std::uint32_t axis = 0; axis < to.rank; ++axis) {
    const std::int64_t extent = to.extents[axis];
    const std::int64_t in_unit = axis == 1 ? from.block : 1;
    // The start of an axis without elements may be anything.
    if (extent != 0) copy.Skip(slice.starts[axis] / in_unit * from.steps[axis], 0);
    const std::int64_t step = extent > 1 ? slice.steps[axis] : 1;
    copy.AddAxis(extent, step * from.steps[axis], to.steps[axis]);
  }
  copy.AddAxis(from.block, 1, 1);
  copy.Prepare();
  return copy;
}

}  // namespace

std::string FindRefusalOfSlice(const Layer& layer) {
  Refusal refusal;
  RequireSlice(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeSlice(KernelMaker& maker) {
  const auto slice = maker.GetNode().GetDescriptor<SliceDescriptor>();
  const TensorInfo& input = maker.GetInput(0).info;
  const TensorInfo& output = maker.GetOutput().info;
  auto from = FindLayoutAxes(input, maker.GetLayout(0));
  auto layout = MakeLayoutLike(input, maker.GetLayout(0), output);
  if (!from || !layout || !KeepsBlocks(slice, input.shape, from->block)) {
    maker.WantPlain(0);
    from = FindLayoutAxes(input, Layout());
    layout = Layout();
  }
  maker.SetOutput(0, *layout);
  return MakeMove(MakeSliceCopy(slice, input, *from, *FindLayoutAxes(output, *layout)));
}

}  // namespace cpuacc
}  // namespace backplane
