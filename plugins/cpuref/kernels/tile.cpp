#include "cpu_layers/movement_refusal.hpp"
#include "kernel.hpp"
#include "kernels/strided_copy.hpp"

#include <backplane/api/descriptors/tile.hpp>

namespace backplane {
namespace cpuref {

std::string FindRefusalOfTile(const Layer& layer) {
  Refusal refusal;
  RequireTile(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeTile(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<TileDescriptor>();
  const TensorShape& input = layer.Input(0).shape;
  const DenseSteps from(input);
  const DenseSteps to(layer.Output().shape);
  StridedCopy copy(GetDataTypeSizeBytes(layer.Output().data_type));
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    copy.AddAxis(descriptor.repeats[axis], 0, input[axis] * to[axis]);
    copy.AddAxis(input[axis], from[axis], to[axis]);
  }
  copy.Prepare();
  return std::make_unique<StridedCopyKernel>(copy);
}

}  // namespace cpuref
}  // namespace backplane
