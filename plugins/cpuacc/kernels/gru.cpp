#include "kernels/kernel_table.hpp"
#include "recurrent/recurrent_kernel.hpp"

#include <backplane/api/descriptors/gru.hpp>

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::uint32_t kNumGates = 3;

}  // namespace

std::string FindRefusalOfGru(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<GruDescriptor>();
  CheckRecurrent(layer, RecurrentOptions(descriptor, kNumGates), refusal);
  RequireFlag("linear_before_reset", descriptor.linear_before_reset, refusal);
  CheckGates(descriptor.gates[0], 2, refusal);
  if (descriptor.direction == RecurrentDirection::kBidirectional) {
    CheckGates(descriptor.gates[1], 2, refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeGru(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<GruDescriptor>();
  RecurrentCells cells;
  cells.kind = descriptor.linear_before_reset == 1 ? RecurrentCellKind::kGruWithLinearProduct
                                                   : RecurrentCellKind::kGru;
  for (std::uint32_t direction = 0; direction < kMaxDirections; ++direction) {
    std::copy_n(descriptor.gates[direction], 2, cells.functions[direction]);
  }
  return MakeRecurrent(maker, RecurrentOptions(descriptor, kNumGates), cells);
}

}  // namespace cpuacc
}  // namespace backplane
