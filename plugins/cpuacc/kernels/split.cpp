#include "cpu_layers/join_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/moves.hpp"
#include "moves/part_copy.hpp"

#include <backplane/api/descriptors/split.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfSplit(const Layer& layer) {
  Refusal refusal;
  RequireSplit(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeSplit(KernelMaker& maker) {
  const auto axis = maker.GetNode().GetDescriptor<SplitDescriptor>().axis;
  const TensorInfo& whole = maker.GetInput(0).info;
  std::vector<TensorInfo> parts;
  for (const TensorId part : maker.GetNode().outputs) {
    parts.push_back(maker.GetGraph().tensors[part].info);
  }
  Layout layout = maker.GetLayout(0);
  if (!CanCut(whole, layout, parts, axis)) layout = Layout();
  maker.WantInput(0, layout);
  std::vector<Move> moves;
  std::int64_t begin = 0;
  for (std::uint32_t index = 0; index < parts.size(); ++index) {
    const Layout part = *MakeLayoutLike(whole, layout, parts[index]);
    maker.SetOutput(index, part);
    const PartOfAxis place = {axis, begin};
    moves.push_back(
        {MakePartCopy({whole, layout}, {parts[index], part}, place, PartIs::kWritten), 0, index});
    begin += parts[index].shape[axis];
  }
  return MakeMoves(std::move(moves));
}

}  // namespace cpuacc
}  // namespace backplane
