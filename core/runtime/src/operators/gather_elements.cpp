#include "operators/index_source.hpp"
#include "operators/operators.hpp"
#include "operators/scale_axis.hpp"

namespace backplane {

OperatorTypes GetTypesOfGatherElements(const GatherElementsDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved, {{1, kIndexTypes}}};
}

std::vector<TensorInfo> InferGatherElements(const OperatorInputs& inputs,
                                            const GatherElementsDescriptor& descriptor) {
  const TensorShape& indices = inputs[1].shape;
  inputs.RequireRankAtLeast(0, "the input", 1);
  inputs.RequireAxis(descriptor.axis);
  RequireIndicesInside(inputs, descriptor.axis);
  RequireElementsToIndex(inputs, descriptor.axis);
  KeepScales(inputs, 0, [&](std::uint32_t axis) {
    return axis != descriptor.axis && indices[axis] == inputs[0].shape[axis];
  });
  return {TensorInfo(indices, inputs[0].data_type)};
}

}  // namespace backplane
