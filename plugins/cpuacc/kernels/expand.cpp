#include "cpu_layers/movement_refusal.hpp"
#include "cpu_layers/repeated_copy.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/moves.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfExpand(const Layer& layer) {
  Refusal refusal;
  RequireExpand(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeExpand(KernelMaker& maker) {
  maker.WantAllPlain();
  return MakeMove(MakeExpandingCopy(maker.GetInput(0).info, maker.GetOutput().info));
}

}  // namespace cpuacc
}  // namespace backplane
