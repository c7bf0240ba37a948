#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"

namespace backplane {

namespace {

std::int64_t Repeat(const OperatorInputs& inputs, std::uint32_t axis, std::int64_t repeats) {
  const std::int64_t extent = inputs[0].shape[axis];
  if (repeats < 0) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "a number of repeats is negative",
                "found " + std::to_string(repeats) + " at axis " + std::to_string(axis) +
                    "; expected 0 or more",
                "correct the repeats");
  }
  std::int64_t result = 0;
  if (!__builtin_mul_overflow(extent, repeats, &result)) return result;
  inputs.Fail(DiagnosticCode::kTensorTooLarge, "the output is too large",
              "found " + std::to_string(repeats) + " times extent " + std::to_string(extent) +
                  " at axis " + std::to_string(axis) + "; expected a product that fits 63 bits",
              "correct the repeats");
}

}  // namespace

std::vector<TensorInfo> InferTile(const OperatorInputs& inputs, const TileDescriptor& descriptor) {
  TensorInfo output = inputs[0];
  for (std::uint32_t axis = 0; axis < output.shape.rank; ++axis) {
    output.shape[axis] = Repeat(inputs, axis, descriptor.repeats[axis]);
  }
  KeepScales(inputs, 0, [&](std::uint32_t axis) { return descriptor.repeats[axis] == 1; });
  return {output};
}

}  // namespace backplane
