#include "kernels/kernel_table.hpp"
#include "recurrent/recurrent_maker.hpp"

#include <backplane/api/descriptors/rnn.hpp>

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfRnn(const Layer& layer) {
  return FindRecurrentRefusal<RnnDescriptor>(layer, &CheckRecurrent);
}

std::unique_ptr<const Kernel> MakeRnn(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<RnnDescriptor>();
  RecurrentCells cells;
  cells.kind = RecurrentCellKind::kRnn;
  for (std::uint32_t direction = 0; direction < kMaxDirections; ++direction) {
    cells.functions[direction][0] = descriptor.gates[direction];
  }
  return MakeRecurrent(maker, MakeRecurrentOptions(descriptor), cells);
}

}  // namespace cpuacc
}  // namespace backplane
