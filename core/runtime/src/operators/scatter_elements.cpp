#include "operators/index_source.hpp"
#include "operators/operators.hpp"
#include "operators/scale_axis.hpp"
#include "operators/scatter.hpp"

namespace backplane {

OperatorTypes GetTypesOfScatterElements(const ScatterElementsDescriptor& descriptor) {
  return GetTypesOfScatter(descriptor.reduction);
}

std::vector<TensorInfo> InferScatterElements(const OperatorInputs& inputs,
                                             const ScatterElementsDescriptor& descriptor) {
  CheckReduction(inputs, descriptor.reduction);
  inputs.RequireRankAtLeast(0, "the input", 1);
  inputs.RequireAxis(descriptor.axis);
  RequireIndicesInside(inputs, descriptor.axis);
  RequireUpdates(inputs, inputs[1].shape);
  if (descriptor.reduction == ScatterReduction::kNone) {
    KeepScales(inputs, 0, [&](std::uint32_t axis) { return axis != descriptor.axis; });
  }
  return {inputs[0]};
}

}  // namespace backplane
