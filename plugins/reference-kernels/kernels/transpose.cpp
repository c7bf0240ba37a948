#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/movement_refusal.hpp"
#include "kernel.hpp"
#include "kernels/strided_copy_kernel.hpp"

#include <backplane/api/descriptors/transpose.hpp>

namespace backplane {
namespace reference {

std::string FindRefusalOfTranspose(const Layer& layer) {
  Refusal refusal;
  RequireTranspose(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeTranspose(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<TransposeDescriptor>();
  const TensorShape& output = layer.Output().shape;
  const DenseSteps from(layer.Input(0).shape);
  const DenseSteps to(output);
  StridedCopy copy(GetDataTypeSizeBytes(layer.Output().data_type));
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    copy.AddAxis(output[axis], from[descriptor.permutation[axis]], to[axis]);
  }
  copy.Prepare();
  return std::make_unique<StridedCopyKernel>(copy);
}

}  // namespace reference
}  // namespace backplane
