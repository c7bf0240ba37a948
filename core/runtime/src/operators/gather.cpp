#include "operators/index_source.hpp"
#include "operators/joined_shape.hpp"
#include "operators/operators.hpp"
#include "operators/scale_axis.hpp"

namespace backplane {

OperatorTypes GetTypesOfGather(const GatherDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved, {{1, kIndexTypes}}};
}

std::vector<TensorInfo> InferGather(const OperatorInputs& inputs,
                                    const GatherDescriptor& descriptor) {
  const TensorShape& values = inputs[0].shape;
  const TensorShape& indices = inputs[1].shape;
  inputs.RequireRankAtLeast(0, "the input", 1);
  inputs.RequireAxis(descriptor.axis);
  RequireElementsToIndex(inputs, descriptor.axis);
  const std::uint32_t behind = descriptor.axis + 1;
  TensorInfo output(JoinAxes(inputs, {{values, 0, descriptor.axis},
                                      {indices, 0, indices.rank},
                                      {values, behind, values.rank - behind}}),
                    inputs[0].data_type);
  MoveScales(inputs, 0, output, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    if (axis < descriptor.axis) return axis;
    if (axis > descriptor.axis) return axis + indices.rank - 1;
    return std::nullopt;
  });
  return {output};
}

}  // namespace backplane
