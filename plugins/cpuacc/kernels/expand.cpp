#include "cpu_layers/movement_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/strided_copy.hpp"

namespace backplane {
namespace cpuacc {

std::string FindRefusalOfExpand(const Layer& layer) {
  Refusal refusal;
  RequireExpand(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeExpand(KernelMaker& maker) {
  maker.WantAllPlain();
  const TensorShape& input = maker.GetInput(0).info.shape;
  const TensorShape& output = maker.GetOutput().info.shape;
  const DenseSteps from(input);
  const DenseSteps to(output);
  const std::uint32_t missing = output.rank - input.rank;
  StridedCopy copy(GetDataTypeSizeBytes(maker.GetOutput().info.data_type));
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    const bool repeats = axis < missing || input[axis - missing] == 1;
    copy.AddAxis(output[axis], repeats ? 0 : from[axis - missing], to[axis]);
  }
  return MakeMove(copy);
}

}  // namespace cpuacc
}  // namespace backplane
