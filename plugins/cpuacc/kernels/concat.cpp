#include "cpu_layers/join_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/moves.hpp"
#include "moves/part_copy.hpp"

#include <backplane/api/descriptors/concat.hpp>

namespace backplane {
namespace cpuacc {
namespace {

/// The layout of the joined tensor for which the largest input needs no reorder, when no part
/// begins in the middle of a block.
Layout ChooseLayout(const KernelMaker& maker, const std::vector<TensorInfo>& parts,
                    std::uint32_t axis) {
  std::uint32_t largest = 0;
  for (std::uint32_t index = 1; index < parts.size(); ++index) {
    if (parts[index].GetSizeBytes() > parts[largest].GetSizeBytes()) largest = index;
  }
  const TensorInfo& whole = maker.GetOutput().info;
  const auto layout = MakeLayoutLike(parts[largest], maker.GetLayout(largest), whole);
  return layout && CanCut(whole, *layout, parts, axis) ? *layout : Layout();
}

}  // namespace

std::string FindRefusalOfConcat(const Layer& layer) {
  Refusal refusal;
  RequireConcat(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeConcat(KernelMaker& maker) {
  const std::uint32_t axis = maker.GetNode().GetDescriptor<ConcatDescriptor>().axis;
  const TensorInfo& whole = maker.GetOutput().info;
  const std::size_t num_parts = maker.GetNumInputs();
  std::vector<TensorInfo> parts;
  for (std::uint32_t index = 0; index < num_parts; ++index) {
    parts.push_back(maker.GetInput(index).info);
  }
  const Layout layout = ChooseLayout(maker, parts, axis);
  maker.SetOutput(0, layout);
  std::vector<Move> moves;
  std::int64_t begin = 0;
  for (std::uint32_t index = 0; index < num_parts; ++index) {
    const Layout part = *MakeLayoutLike(whole, layout, parts[index]);
    maker.WantInput(index, part);
    const PartOfAxis place = {axis, begin};
    moves.push_back(
        {MakePartCopy({whole, layout}, {parts[index], part}, place, PartIs::kRead), index, 0});
    begin += parts[index].shape[axis];
  }
  return MakeMoves(std::move(moves));
}

}  // namespace cpuacc
}  // namespace backplane
