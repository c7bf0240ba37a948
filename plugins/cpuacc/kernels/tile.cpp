#include "cpu_layers/movement_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/strided_copy.hpp"

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
  const auto tile = maker.GetNode().GetDescriptor<TileDescriptor>();
  const TensorShape& input = maker.GetInput(0).info.shape;
  const DenseSteps from(input);
  const DenseSteps to(maker.GetOutput().info.shape);
  StridedCopy copy(GetDataTypeSizeBytes(maker.GetOutput().info.data_type));
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    copy.AddAxis(tile.repeats[axis], 0, input[axis] * to[axis]);
    copy.AddAxis(input[axis], from[axis], to[axis]);
  }
  return MakeMove(copy);
}

}  // namespace cpuacc
}  // namespace backplane
