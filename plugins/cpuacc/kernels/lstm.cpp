#include "kernels/kernel_table.hpp"
#include "recurrent/recurrent_kernel.hpp"

#include <backplane/api/descriptors/lstm.hpp>

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

RecurrentOptions MakeOptions(const LstmDescriptor& descriptor) {
  RecurrentOptions options(descriptor, 4);
  options.has_initial_cell = descriptor.has_initial_cell;
  options.has_peepholes = descriptor.has_peepholes;
  return options;
}

}  // namespace

std::string FindRefusalOfLstm(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<LstmDescriptor>();
  CheckRecurrent(layer, MakeOptions(descriptor), refusal);
  RequireFlag("input_forget", descriptor.input_forget, refusal);
  CheckGates(descriptor.gates[0], 3, refusal);
  if (descriptor.direction == RecurrentDirection::kBidirectional) {
    CheckGates(descriptor.gates[1], 3, refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeLstm(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<LstmDescriptor>();
  RecurrentCells cells;
  cells.kind = RecurrentCellKind::kLstm;
  cells.has_input_forget = descriptor.input_forget == 1;
  for (std::uint32_t direction = 0; direction < kMaxDirections; ++direction) {
    std::copy_n(descriptor.gates[direction], 3, cells.functions[direction]);
  }
  return MakeRecurrent(maker, MakeOptions(descriptor), cells);
}

}  // namespace cpuacc
}  // namespace backplane
