#include "operators/known_number.hpp"
#include "operators/operators.hpp"
#include "operators/pooled_shape.hpp"

#include <cmath>

namespace backplane {

namespace {

void CheckFields(const OperatorInputs& inputs, const PoolingDescriptor& descriptor) {
  RequireKnown(inputs, "method", descriptor.method,
               {PoolingMethod::kMax, PoolingMethod::kAverage, PoolingMethod::kLp},
               "Max, Average or Lp");
  RequireRounding(inputs, descriptor.rounding);
  RequireKnown(inputs, "padding_in_average", descriptor.padding_in_average,
               {PaddingInAverage::kExclude, PaddingInAverage::kInclude}, "Exclude or Include");
  if (descriptor.method == PoolingMethod::kLp &&
      !(std::isfinite(descriptor.p) && descriptor.p > 0)) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "p is out of range",
                "found " + std::to_string(descriptor.p) + "; expected a finite number above 0",
                "set p, usually to 2");
  }
}

}  // namespace

// Roots of integers are no integers.
OperatorTypes GetTypesOfPooling(const PoolingDescriptor& descriptor) {
  if (descriptor.method == PoolingMethod::kLp) return {kFloatTypes, QuantizedTensors::kRequantized};
  return {kNumberTypes, QuantizedTensors::kInRange};
}

std::vector<TensorInfo> InferPooling(const OperatorInputs& inputs,
                                     const PoolingDescriptor& descriptor) {
  CheckFields(inputs, descriptor);
  return {InferPooled(inputs, descriptor)};
}

}  // namespace backplane
