#include "operators/operators.hpp"
#include "operators/scale_axis.hpp"
#include "operators/spatial_blocks.hpp"
#include "operators/window.hpp"

namespace backplane {

namespace {

std::int64_t GetCropped(const OperatorInputs& inputs, const BatchToSpaceDescriptor& descriptor,
                        std::uint32_t spatial_axis) {
  const std::int64_t whole =
      MultiplyExtent(inputs, spatial_axis + 2, descriptor.block[spatial_axis]);
  const std::int64_t crops =
      std::int64_t{descriptor.crops_begin[spatial_axis]} + descriptor.crops_end[spatial_axis];
  if (crops <= whole) return whole - crops;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the crops take more than there is",
              "found crops " + std::to_string(descriptor.crops_begin[spatial_axis]) + " and " +
                  std::to_string(descriptor.crops_end[spatial_axis]) + " at spatial axis " +
                  std::to_string(spatial_axis) + "; expected a sum of at most " +
                  std::to_string(whole),
              "correct the crops");
}

}  // namespace

OperatorTypes GetTypesOfBatchToSpace(const BatchToSpaceDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferBatchToSpace(const OperatorInputs& inputs,
                                          const BatchToSpaceDescriptor& descriptor) {
  RequireSpatialRank(inputs, descriptor.spatial_rank);
  inputs.RequireRank(0, "the input", descriptor.spatial_rank + 2, "[N, C, spatial...]");

  TensorInfo output = inputs[0];
  output.shape[0] =
      DivideExtent(inputs, 0, inputs[0].shape[0],
                   GetBlockElements(inputs, descriptor.block, descriptor.spatial_rank));
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    output.shape[axis + 2] = GetCropped(inputs, descriptor, axis);
  }
  KeepScales(inputs, 0, [](std::uint32_t axis) { return axis == 1; });
  return {output};
}

}  // namespace backplane
