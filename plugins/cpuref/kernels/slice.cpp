#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"
#include "kernels/moved_scales.hpp"
#include "kernels/strided_copy.hpp"

#include <backplane/api/descriptors/slice.hpp>

namespace backplane {
namespace cpuref {
namespace {

bool IsInside(std::int64_t start, std::int64_t step, std::int64_t count, std::int64_t extent) {
  if (count == 0) return true;
  if (count < 0 || start < 0 || start >= extent) return false;
  std::int64_t last = 0;
  if (__builtin_mul_overflow(step, count - 1, &last)) return false;
  return !__builtin_add_overflow(start, last, &last) && last >= 0 && last < extent;
}

bool IsWhole(const SliceDescriptor& descriptor, std::uint32_t axis, std::int64_t extent) {
  return descriptor.starts[axis] == 0 && descriptor.steps[axis] == 1 &&
         descriptor.extents[axis] == extent;
}

}  // namespace

std::string FindRefusalOfSlice(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<SliceDescriptor>();
  const TensorShape& input = layer.Input(0).shape;
  RequireMovedScales(layer, refusal, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (axis >= input.rank || !IsWhole(descriptor, axis, input[axis])) return std::nullopt;
    return axis;
  });
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    output[axis] = descriptor.extents[axis];
    const std::int64_t step = descriptor.steps[axis];
    if (step == 0) refusal.Add("the step along axis ", axis, " is 0");
    if (IsInside(descriptor.starts[axis], step, output[axis], input[axis])) continue;
    refusal.Add("start ", descriptor.starts[axis], ", step ", step, " and ", output[axis],
                " elements along axis ", axis, " do not lie in the extent ", input[axis]);
  }
  RequireOutputShape(layer, output, refusal);
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

}  // namespace cpuref
}  // namespace backplane
