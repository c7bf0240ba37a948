#include "operators/known_number.hpp"
#include "operators/operators.hpp"

namespace backplane {

OperatorTypes GetTypesOfTriangularPart(const TriangularPartDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferTriangularPart(const OperatorInputs& inputs,
                                            const TriangularPartDescriptor& descriptor) {
  RequireKnown(inputs, "part", descriptor.part, {Triangle::kUpper, Triangle::kLower},
               "Upper or Lower");
  inputs.RequireRankAtLeast(0, "the input", 2);
  return {inputs[0]};
}

}  // namespace backplane
