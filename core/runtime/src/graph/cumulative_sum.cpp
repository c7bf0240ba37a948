#include "graph/operators.hpp"

namespace backplane {

std::vector<TensorInfo> InferCumulativeSum(const OperatorInputs& inputs,
                                           const CumulativeSumDescriptor& descriptor) {
  inputs.RequireAxisOfInput(descriptor.axis);
  inputs.RequireFlag("exclusive", descriptor.exclusive);
  inputs.RequireFlag("reverse", descriptor.reverse);
  return {inputs[0]};
}

}  // namespace backplane
