#include "kernels/kernel_table.hpp"
#include "recurrent/recurrent_maker.hpp"

#include <backplane/api/descriptors/lstm.hpp>

#include <algorithm>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfLstm(const Layer& layer) {
  return FindRecurrentRefusal<LstmDescriptor>(layer, &CheckRecurrent);
}

std::unique_ptr<const Kernel> MakeLstm(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<LstmDescriptor>();
  RecurrentCells cells;
  cells.kind = RecurrentCellKind::kLstm;
  cells.has_input_forget = descriptor.input_forget == 1;
  for (std::uint32_t direction = 0; direction < kMaxDirections; ++direction) {
    std::copy_n(descriptor.gates[direction], 3, cells.functions[direction]);
  }
  return MakeRecurrent(maker, MakeRecurrentOptions(descriptor), cells);
}

}  // namespace cpuacc
}  // namespace backplane
