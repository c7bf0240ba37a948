#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"

namespace backplane {

namespace {

// From start, `count` further steps of a certain length fit before the end of the axis.
bool AreStepsInside(std::int64_t start, std::int64_t step, std::int64_t count,
                    std::int64_t extent) {
  if (start < 0 || start >= extent) return false;
  std::int64_t distance = 0;
  std::int64_t last = 0;
  if (__builtin_mul_overflow(step, count, &distance) ||
      __builtin_add_overflow(start, distance, &last)) {
    return false;
  }
  return last >= 0 && last < extent;
}

void CheckAxis(const OperatorInputs& inputs, const SliceDescriptor& descriptor,
               std::uint32_t axis) {
  const std::int64_t start = descriptor.starts[axis];
  const std::int64_t step = descriptor.steps[axis];
  const std::int64_t count = descriptor.extents[axis];
  const std::int64_t extent = inputs[0].shape[axis];
  if (step == 0) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "a step is 0",
                "found step 0 at axis " + std::to_string(axis) + "; expected any other number",
                "set the step, usually to 1");
  }
  if (count == 0 || (count > 0 && AreStepsInside(start, step, count - 1, extent))) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the slice does not lie in the input",
              "found start " + std::to_string(start) + ", step " + std::to_string(step) + " and " +
                  std::to_string(count) + " elements at axis " + std::to_string(axis) +
                  "; expected indices from 0 to less than " + std::to_string(extent),
              "correct start, step or extent");
}

}  // namespace

std::vector<TensorInfo> InferSlice(const OperatorInputs& inputs,
                                   const SliceDescriptor& descriptor) {
  TensorInfo output = inputs[0];
  for (std::uint32_t axis = 0; axis < output.shape.rank; ++axis) {
    CheckAxis(inputs, descriptor, axis);
    output.shape[axis] = descriptor.extents[axis];
  }
  KeepScales(inputs, 0, [&](std::uint32_t axis) {
    return descriptor.starts[axis] == 0 && descriptor.steps[axis] == 1 &&
           output.shape[axis] == inputs[0].shape[axis];
  });
  return {output};
}

}  // namespace backplane
