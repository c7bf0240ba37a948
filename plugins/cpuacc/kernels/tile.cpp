#include "cpu_layers/movement_refusal.hpp"
#include "cpu_layers/repeated_copy.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/moves.hpp"

#include <backplane/api/descriptors/tile.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfTile(const Layer& layer) {
  Refusal refusal;
  RequireTile(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeTile(KernelMaker& maker) {
  maker.WantAllPlain();
  return MakeMove(MakeTilingCopy(maker.GetNode().GetDescriptor<TileDescriptor>(),
                                 maker.GetInput(0).info, maker.GetOutput().info));
}

}  // namespace cpuacc
}  // namespace backplane
