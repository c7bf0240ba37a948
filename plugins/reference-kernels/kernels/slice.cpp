#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/movement_refusal.hpp"
#include "kernel.hpp"
#include "kernels/strided_copy_kernel.hpp"

#include <backplane/api/descriptors/slice.hpp>

namespace backplane {
namespace reference {

std::string FindRefusalOfSlice(const Layer& layer) {
  Refusal refusal;
  RequireSlice(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeSlice(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<SliceDescriptor>();
  const TensorShape& output = layer.Output().shape;
  const DenseSteps from(layer.Input(0).shape);
  const DenseSteps to(output);
  StridedCopy copy(GetDataTypeSizeBytes(layer.Output().data_type));
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    // The start of an axis without elements may be anything.
    if (output[axis] != 0) copy.Skip(descriptor.starts[axis] * from[axis], 0);
    const std::int64_t step = output[axis] > 1 ? descriptor.steps[axis] : 1;
    copy.AddAxis(output[axis], step * from[axis], to[axis]);
  }
  copy.Prepare();
  return std::make_unique<StridedCopyKernel>(copy);
}

}  // namespace reference
}  // namespace backplane
