#include "kernels/kernel_table.hpp"
#include "recurrent/recurrent_maker.hpp"

#include <backplane/api/descriptors/gru.hpp>

#include <algorithm>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfGru(const Layer& layer) {
  return FindRecurrentRefusal<GruDescriptor>(layer, &CheckRecurrent);
}

std::unique_ptr<const Kernel> MakeGru(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<GruDescriptor>();
  RecurrentCells cells;
  cells.kind = descriptor.linear_before_reset == 1 ? RecurrentCellKind::kGruWithLinearProduct
                                                   : RecurrentCellKind::kGru;
  for (std::uint32_t direction = 0; direction < kMaxDirections; ++direction) {
    std::copy_n(descriptor.gates[direction], 2, cells.functions[direction]);
  }
  return MakeRecurrent(maker, MakeRecurrentOptions(descriptor), cells);
}

}  // namespace cpuacc
}  // namespace backplane
