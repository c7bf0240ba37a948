#include "operators/operators.hpp"
#include "operators/window.hpp"

namespace backplane {

namespace {

// Indices are int64 and count all elements.
void RequireCountable(const OperatorInputs& inputs, const MaxUnpoolingDescriptor& descriptor) {
  std::int64_t count = 1;
  bool fits = !__builtin_mul_overflow(inputs[0].shape[0], inputs[0].shape[1], &count);
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    fits = fits && !__builtin_mul_overflow(count, descriptor.index_extents[axis], &count);
  }
  if (fits) return;
  inputs.Fail(DiagnosticCode::kTensorTooLarge, "the indices count too many elements",
              "found index_extents whose product with N and C overflows; expected one that fits 63 "
              "bits",
              "correct index_extents");
}

void RequireExtents(const OperatorInputs& inputs, const char* field, const std::int64_t* extents,
                    std::uint32_t spatial_rank) {
  for (std::uint32_t axis = 0; axis < spatial_rank; ++axis) {
    if (extents[axis] >= 0) continue;
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, std::string(field) + " is out of range",
                "found " + std::to_string(extents[axis]) + " at spatial axis " +
                    std::to_string(axis) + "; expected 0 or more",
                std::string("correct ") + field);
  }
}

}  // namespace

OperatorTypes GetTypesOfMaxUnpooling(const MaxUnpoolingDescriptor& /*descriptor*/) {
  OperatorTypes types = {kNumberTypes, QuantizedTensors::kInRange};
  types.own_inputs = {{1, kIndexTypes}};
  return types;
}

std::vector<TensorInfo> InferMaxUnpooling(const OperatorInputs& inputs,
                                          const MaxUnpoolingDescriptor& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  const std::uint32_t rank = descriptor.spatial_rank + 2;
  inputs.RequireRank(0, "the input", rank, "[N, C, spatial...]");
  inputs.RequireRank(1, "the indices", rank, "as the input");
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    inputs.RequireExtent(1, "the indices", axis, inputs[0].shape[axis], "as the input has");
  }
  RequireExtents(inputs, "index_extents", descriptor.index_extents, descriptor.spatial_rank);
  RequireExtents(inputs, "extents", descriptor.extents, descriptor.spatial_rank);
  RequireCountable(inputs, descriptor);

  TensorInfo output = inputs[0];
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    output.shape[axis + 2] = descriptor.extents[axis];
  }
  return {output};
}

}  // namespace backplane
