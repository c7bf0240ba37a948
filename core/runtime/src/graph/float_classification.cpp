#include "graph/operators.hpp"

namespace backplane {

std::vector<TensorInfo> InferFloatClassification(const OperatorInputs& inputs,
                                                 const FloatClassificationDescriptor& descriptor) {
  inputs.RequireFlag("detect_nan", descriptor.detect_nan);
  inputs.RequireFlag("detect_positive_infinity", descriptor.detect_positive_infinity);
  inputs.RequireFlag("detect_negative_infinity", descriptor.detect_negative_infinity);
  return {TensorInfo(inputs[0].shape, DataType::kBool)};
}

}  // namespace backplane
