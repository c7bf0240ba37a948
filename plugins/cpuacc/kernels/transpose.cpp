#include "cpu_layers/movement_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "layout/layout_axes.hpp"
#include "moves/moves.hpp"
#include "moves/part_copy.hpp"

#include <backplane/api/descriptors/transpose.hpp>

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

/// Channels from `begin` to `end` of a tensor in blocks: all that are whole, or a part of one.
struct Channels {
  std::int64_t begin;
  std::int64_t end;
};

StridedCopy MakeTransposition(const TensorInfo& input, const LayoutAxes& from,
                              const LaidTensor& output, const TransposeDescriptor& transpose,
                              const Channels& channels) {
  const LayoutAxes to = *FindLayoutAxes(output.info, output.layout);
  StridedCopy copy(GetDataTypeSizeBytes(input.data_type));
  for (std::uint32_t axis = 0; axis < from.rank; ++axis) {
    const std::uint32_t source = transpose.permutation[axis];
    if (from.block == 1 || source != 1) {
      copy.AddAxis(to.extents[axis], from.steps[source], to.steps[axis]);
      continue;
    }
    const std::int64_t in_block = std::min(from.block, channels.end - channels.begin);
    copy.AddAxis((channels.end - channels.begin) / in_block, from.steps[source],
                 in_block * to.steps[axis]);
    copy.AddAxis(in_block, 1, to.steps[axis]);
    copy.Skip(channels.begin / from.block * from.steps[source], channels.begin * to.steps[axis]);
  }
  copy.Prepare();
  return copy;
}

}  // namespace

std::string FindRefusalOfTranspose(const Layer& layer) {
  Refusal refusal;
  RequireTranspose(layer, refusal);
  return refusal.GetReason();
}

/// From any layout, so that no reorder comes before. Of permuted axes, those that lie last do so
/// behind it too.
std::unique_ptr<const Kernel> MakeTranspose(KernelMaker& maker) {
  const auto transpose = maker.GetNode().GetDescriptor<TransposeDescriptor>();
  const TensorInfo& input = maker.GetInput(0).info;
  const TensorInfo& output = maker.GetOutput().info;
  auto from = FindLayoutAxes(input, maker.GetLayout(0));
  if (!from) {
    maker.WantPlain(0);
    from = FindLayoutAxes(input, Layout());
  } else if (from->block == 1 && output.shape.GetNumElements() != 0) {
    maker.SetOutput(0, *MakeLayoutLike(input, maker.GetLayout(0), output));
  }
  const LaidTensor to = {output, maker.GetOutputLayout()};
  if (from->block == 1) return MakeMoves({{MakeTransposition(input, *from, to, transpose, {})}});
  const std::int64_t channels = input.shape[1];
  const std::int64_t whole = channels / from->block * from->block;
  std::vector<Move> moves;
  for (const Channels part : {Channels{0, whole}, Channels{whole, channels}}) {
    if (part.begin == part.end) continue;
    moves.push_back({MakeTransposition(input, *from, to, transpose, part)});
  }
  return MakeMoves(std::move(moves));
}

}  // namespace cpuacc
}  // namespace backplane
