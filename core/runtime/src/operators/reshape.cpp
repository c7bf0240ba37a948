#include "operators/operators.hpp"
#include "operators/wanted_shape.hpp"
#include "tensors/tensor_size.hpp"
#include "tensors/tensor_text.hpp"

namespace backplane {

OperatorTypes GetTypesOfReshape(const ReshapeDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferReshape(const OperatorInputs& inputs,
                                     const ReshapeDescriptor& descriptor) {
  const TensorShape wanted = GetWantedShape(inputs, descriptor.rank, descriptor.dims);
  if (inputs[0].quantization.IsPerAxis()) {
    inputs.Fail(DiagnosticCode::kWrongDataType, "the input is quantized along an axis",
                "found " + DescribeTensor(inputs[0]) + " with " +
                    std::to_string(inputs[0].quantization.scales.size()) +
                    " scales; expected one scale for the whole tensor",
                "requantize the tensor with one scale");
  }
  TensorInfo output = inputs[0];
  output.shape = wanted;
  const auto wanted_size = ComputeSizeBytes(output.shape, output.data_type);
  if (!wanted_size || *wanted_size != *ComputeSizeBytes(inputs[0].shape, output.data_type)) {
    inputs.Fail(DiagnosticCode::kWrongShape, "the number of elements changes",
                "found " + DescribeTensor(inputs[0]) + " to be reshaped to " +
                    DescribeShape(output.shape) + "; expected " +
                    std::to_string(inputs[0].shape.GetNumElements()) + " elements",
                "correct the wanted shape");
  }
  return {output};
}

}  // namespace backplane
