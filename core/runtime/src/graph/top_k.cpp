#include "graph/operators.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

std::vector<TensorInfo> InferTopK(const OperatorInputs& inputs, const TopKDescriptor& descriptor) {
  inputs.RequireAxisOfInput(descriptor.axis);
  inputs.RequireFlag("largest", descriptor.largest);
  inputs.RequireFlag("is_sorted", descriptor.is_sorted);
  const std::int64_t extent = inputs[0].shape[descriptor.axis];
  if (descriptor.k < 0 || descriptor.k > extent) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "k is out of range",
                "found " + std::to_string(descriptor.k) + "; expected 0 to " +
                    std::to_string(extent) + ", the extent at axis " +
                    std::to_string(descriptor.axis) + " of " + DescribeTensor(inputs[0]),
                "set k to at most the extent of the axis");
  }
  TensorInfo values = inputs[0];
  values.shape[descriptor.axis] = descriptor.k;
  return {values, TensorInfo(values.shape, DataType::kInt64)};
}

}  // namespace backplane
