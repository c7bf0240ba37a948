#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/movement_refusal.hpp"
#include "kernel.hpp"
#include "kernels/strided_copy.hpp"

#include <backplane/api/descriptors/expand.hpp>

namespace backplane {
namespace cpuref {

std::string FindRefusalOfExpand(const Layer& layer) {
  Refusal refusal;
  RequireExpand(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeExpand(const Layer& layer) {
  const TensorShape& input = layer.Input(0).shape;
  const TensorShape& output = layer.Output().shape;
  const DenseSteps from(input);
  const DenseSteps to(output);
  const std::uint32_t missing = output.rank - input.rank;
  StridedCopy copy(GetDataTypeSizeBytes(layer.Output().data_type));
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    const bool is_repeated = axis < missing || input[axis - missing] == 1;
    copy.AddAxis(output[axis], is_repeated ? 0 : from[axis - missing], to[axis]);
  }
  copy.Prepare();
  return std::make_unique<StridedCopyKernel>(copy);
}

}  // namespace cpuref
}  // namespace backplane
