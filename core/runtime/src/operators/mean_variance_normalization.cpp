#include "operators/axis_set.hpp"
#include "operators/normalization.hpp"
#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfMeanVarianceNormalization(
    const MeanVarianceNormalizationDescriptor& /*descriptor*/) {
  return {kFloatTypes, QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferMeanVarianceNormalization(
    const OperatorInputs& inputs, const MeanVarianceNormalizationDescriptor& descriptor) {
  ReadAxes(inputs, descriptor.num_axes, descriptor.axes);
  RequireEpsilon(inputs, descriptor.epsilon);
  return {inputs[0]};
}

}  // namespace backplane
