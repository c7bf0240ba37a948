#include "operators/convolution_shape.hpp"
#include "operators/operators.hpp"
#include "operators/zero_points.hpp"
#include "tensors/tensor_text.hpp"

#include <string>

namespace backplane {

namespace {

void CheckZeroPoints(const OperatorInputs& inputs) {
  RequireTypesOfZeroPoints(inputs);
  const std::int64_t num_filters = inputs[1].shape[0];
  for (std::size_t input = 2; input < inputs.Size(); ++input) {
    const TensorShape& shape = inputs[input].shape;
    const bool has_one_element = shape.rank <= 1 && shape.GetNumElements() == 1;
    const bool is_of_filters = input == 3 && shape.rank == 1 && shape[0] == num_filters;
    if (has_one_element || is_of_filters) continue;
    inputs.Fail(
        DiagnosticCode::kWrongShape, "the zero point does not fit",
        "found " + DescribeTensor(inputs[input]) + " as input " + std::to_string(input) +
            "; expected shape [] or [1]" +
            (input == 3 ? ", or [" + std::to_string(num_filters) + "], one for each filter" : ""),
        "correct the shape of the zero point");
  }
}

}  // namespace

OperatorTypes GetTypesOfIntegerConvolution(const ConvolutionDescriptor& /*descriptor*/) {
  return GetTypesOfIntegerProduct();
}

std::vector<TensorInfo> InferIntegerConvolution(const OperatorInputs& inputs,
                                                const ConvolutionDescriptor& descriptor) {
  const TensorShape shape = InferConvolutionShape(inputs, descriptor);
  CheckZeroPoints(inputs);
  return {TensorInfo(shape, DataType::kInt32)};
}

}  // namespace backplane
